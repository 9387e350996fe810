/** Ends the session of a browser. The person behind it is the actor of the event. */
import type { Request, RequestHandler, Response } from 'express'
import { builder } from '../../core/db/index.js'
import { changeAs } from './change.js'
import { clearCookie, setCookie } from './cookie.js'
import { goTo } from './send-page.js'
import { sessionOf } from './session.js'

/** Ends the session that the browser had, so that a sign-in leaves no second one behind. */
export async function replaceSession(res: Response, token: string): Promise<void> {
  const { req } = res
  if (req.visit.session) await endSession(req)
  setCookie(res, req.visit.place, token)
}

/** POST /app/sign-out: deletes the session. A copy of its cookie is worth nothing from then on. */
export const signOutRoute: RequestHandler = async (req, res) => {
  if (req.visit.session) await endSession(req)
  clearCookie(res, req.visit.place)
  goTo(res, '/sign-in')
}

async function endSession(req: Request): Promise<void> {
  const { tokenHash } = sessionOf(req)
  await changeAs(req, 'src/app/shell/sign-out.ts: endSession', (run) =>
    run(builder.deleteFrom('session').where('token_hash', '=', tokenHash)),
  )
}
