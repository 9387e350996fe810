/**
 * A change that a person makes is one row: where its form goes, who may send it, what the fields hold, what changes, and
 * what the answer is. src/app/actions.ts has all rows.
 */
import type { Request, RequestHandler, Response } from 'express'
import { AlreadyMinted, FieldFault, leavesNoOwner, NotRolled, type Role, UnknownKey } from '../../core/access/index.js'
import type { RunQuery } from '../../core/db/index.js'
import { changeAs } from './change.js'
import { type Fields, type Filled, filledIn, readFields, type Values } from './fields.js'
import type { PageContent } from './layout.js'
import { alreadyMinted, badForm, lastOwner, noSuchPage, notRolled } from './refusals.js'
import { goTo, goToWithNotice, sendPage } from './send-page.js'
import { sessionOf } from './session.js'
import type { Session } from './rows.js'

type Named<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Named<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** `by` is the person, and `of` what the path names, in the organisation of the session. */
type Asked<Path extends string> = { by: Session; of: Record<Named<Path> | 'orgId', string> }

type Row<Path extends string, F extends Fields, Answer> = {
  path: Path
  least: Role
  fields?: F
  /**
   * Makes the change in a transaction, whose events name the person. It returns undefined, or no rows, where the
   * organisation has no such thing: what belongs to another is as unknown as what nobody has.
   */
  run: (run: RunQuery, asked: Asked<Path>, values: Values<F>) => Promise<Answer | undefined>
  /** The sentence that the next page says once, or a function that answers. */
  done: string | ((res: Response, answer: Answer, values: Values<F>) => void | Promise<void>)
  /** The person has lost the page of the form by the change, and is led home. */
  leaves?: (asked: Asked<Path>, values: Values<F>) => boolean
  /** Draws the page of the form anew, with a sentence beside each field that is not right. Without it, the form is refused. */
  again?: (req: Request, form: Filled) => Promise<PageContent>
}

export type Action = { name: string; path: string; least: Role; notice: string | undefined; route: RequestHandler }

/** `name` goes before each statement, and is what the list of sessions of PostgreSQL shows. */
export function action<const Path extends string, Answer, F extends Fields = {}>(
  name: string,
  row: Row<Path, F, Answer>,
): Action {
  const { path, least, done } = row
  const change = async (req: Request, values: Values<F>) => {
    const by = sessionOf(req)
    const asked: Asked<Path> = { by, of: { ...(req.params as Asked<Path>['of']), orgId: by.orgId } }
    const answer = await changeAs(req, name, (run) => row.run(run, asked, values)).catch(translate)
    if (answer === undefined || (Array.isArray(answer) && answer.length === 0)) throw noSuchPage()
    return { answer, leaves: row.leaves?.(asked, values) }
  }
  const refuse = async (req: Request, res: Response, faults: Filled['faults']) => {
    if (!row.again) throw badForm(Object.values(faults).join(' '))
    const page = await row.again(req, filledIn(req, faults))
    sendPage(res.status(422), page)
  }
  const route: RequestHandler = async (req, res) => {
    const read = readFields(row.fields ?? ({} as F), filledIn(req))
    if ('faults' in read) return await refuse(req, res, read.faults)
    const made = await change(req, read.values).catch((error: unknown) => {
      if (error instanceof FieldFault) return { fault: error }
      throw error
    })
    if ('fault' in made) return await refuse(req, res, { [made.fault.field]: made.fault.message })
    if (made.leaves) return goTo(res, '')
    if (typeof done === 'string') return goToWithNotice(res, sectionOf(path), name)
    await done(res, made.answer, read.values)
  }
  return { name, path, least, notice: typeof done === 'string' ? done : undefined, route }
}

/** The page that a form stands on, such as /members for /members/:personId/role. */
export const sectionOf = (path: string): string => /^\/\w+/.exec(path)?.[0] ?? ''

function translate(error: unknown): never {
  if (error instanceof UnknownKey) throw noSuchPage()
  if (error instanceof AlreadyMinted) throw alreadyMinted(error.keyId)
  if (error instanceof NotRolled) throw notRolled()
  throw leavesNoOwner(error) ? lastOwner() : error
}
