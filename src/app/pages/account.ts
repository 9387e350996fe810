/** GET /app/account and its forms: says who the person is, and lists the sessions of the person. */
import { sql } from 'kysely'
import type { RequestHandler } from 'express'
import { builder } from '../../core/db/builder.js'
import { withDeadline } from '../../core/db/connect.js'
import type { Services } from '../../services.js'
import { changeAs } from '../shell/change.js'
import { badge, confirmation, distance, instant, table } from '../shell/components.js'
import { clearCookie } from '../shell/cookie.js'
import { noSuchPage } from '../shell/refusals.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { roleName } from '../../core/access/roles.js'
import { goToWithNotice, takeNotice } from '../shell/notice.js'
import { goTo, sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { IDLE_HOURS } from '../shell/session-life.js'
import { sessionsOfPerson, type OwnSessionRow, type Session } from '../shell/statements.js'
import type { Web } from '../shell/web.js'
import { passkeySection } from './passkeys.js'

const ACCOUNT_NOTICES = {
  ended: 'The session has ended.',
  'passkey-added': 'The passkey was added.',
  'passkey-removed': 'The passkey was removed.',
}

export function accountRoute(web: Web): RequestHandler {
  return async (req, res) => {
    const session = sessionOf(req)
    const { personId, tokenHash } = session
    const db = withDeadline(web.db, req.context.deadline)
    const sessions = await sessionsOfPerson(db, personId, tokenHash, IDLE_HOURS)
    const passkeys = await passkeySection(web, req)
    const { app } = req.visit.place
    sendPage(res, accountPage({ session, sessions, passkeys, app, notice: takeNotice(req, ACCOUNT_NOTICES) }))
  }
}

type AccountPage = {
  session: Session
  sessions: readonly OwnSessionRow[]
  passkeys: Html
  app: string
  notice: string | undefined
}

const accountPage = ({ session, sessions, passkeys, app, notice }: AccountPage): PageContent => ({
  title: 'Account',
  section: '/account',
  scripts: ['passkey.js'],
  notice,
  body: html`
    <dl class="facts">
      <dt>Name</dt>
      <dd>${session.name}</dd>
      <dt>E-mail</dt>
      <dd>${session.email ?? 'not known'}</dd>
      <dt>Organisation</dt>
      <dd>${session.orgName}</dd>
      <dt>Role</dt>
      <dd>${roleName(session.role)}</dd>
    </dl>
    <section>
      <h2>Sessions</h2>
      <p class="quiet">A session ends after ${IDLE_HOURS} hours without use, and after seven days in any case.</p>
      ${sessionTable(sessions, app)}
      ${confirmation({
        label: 'Sign out everywhere',
        question: 'All of these sessions end at once, this one too.',
        action: `${app}/account/sign-out-everywhere`,
        button: 'Sign out everywhere',
      })}
    </section>
    ${passkeys}
  `,
})

const sessionTable = (sessions: readonly OwnSessionRow[], app: string): Html =>
  table(
    'Where you are signed in',
    [
      { heading: 'Browser', cell: ({ browser }) => browser ?? 'not known' },
      { heading: 'Address', cell: ({ fromAddress }) => fromAddress ?? 'not known' },
      { heading: 'Organisation', cell: ({ orgName }) => orgName },
      { heading: 'Signed in', cell: ({ createdAt, madeBy }) => html`${instant(createdAt)} by ${SESSION_WAYS[madeBy]}` },
      { heading: 'Last seen', cell: ({ seenAt }) => distance(seenAt) },
      { heading: 'Action', cell: (row) => (row.isThis ? badge('this session', 'good') : endForm(row, app)) },
    ],
    sessions,
  )

const SESSION_WAYS = { link: 'link', openid: 'OpenID', passkey: 'passkey' }

const endForm = ({ sessionId }: OwnSessionRow, app: string): Html =>
  html`<form method="post" action="${app}/account/sessions/${sessionId}/end"><button class="plain">End</button></form>`

/** POST /app/account/sessions/{id}/end: ends one of the person's own sessions. */
export function endSessionRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { personId } = sessionOf(req)
    const { sessionId } = req.params as { sessionId: string }
    const ended = await change(req, 'src/app/pages/account.ts: endSessionRoute', (run) =>
      run(
        builder
          .deleteFrom('session')
          .where('person_id', '=', personId)
          .where(sql<string>`left(encode(token_hash, 'hex'), 16)`, '=', sessionId)
          .returning('org_id'),
      ),
    )
    if (ended.length === 0) throw noSuchPage()
    goToWithNotice(res, '/account', 'ended')
  }
}

/** POST /app/account/sign-out-everywhere: ends all sessions of the person. */
export function signOutEverywhereRoute(services: Services, web: Web): RequestHandler {
  const change = changeAs(services, web)
  return async (req, res) => {
    const { personId } = sessionOf(req)
    await change(req, 'src/app/pages/account.ts: signOutEverywhereRoute', (run) =>
      run(builder.deleteFrom('session').where('person_id', '=', personId)),
    )
    clearCookie(res, req.visit.place)
    goTo(res, '/sign-in')
  }
}
