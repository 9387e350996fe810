/** GET /app/account and its forms: says who the person is, and lists the sessions of the person. */
import { sql } from 'kysely'
import type { RequestHandler } from 'express'
import { builder } from '../../core/db/builder.js'
import { changeAs, changeOne } from '../shell/change.js'
import { badge, confirmation, distance, factList, instant, table } from '../shell/components.js'
import { clearCookie } from '../shell/cookie.js'
import { textField } from '../shell/form.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { roleName } from '../../core/access/roles.js'
import { goToWithNotice, takeNotice } from '../shell/notice.js'
import { goTo, sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { IDLE_HOURS } from '../shell/session-life.js'
import { sessionsOfPerson, type OwnSessionRow, type Session } from '../shell/statements.js'
import { passkeySection } from './passkeys.js'

const ACCOUNT_NOTICES = {
  ended: 'The session has ended.',
  'passkey-added': 'The passkey was added.',
  'passkey-removed': 'The passkey was removed.',
}

export const accountRoute: RequestHandler = async (req, res) => {
  const session = sessionOf(req)
  const { db, place } = req.visit
  const sessions = await sessionsOfPerson(db, session.personId, session.tokenHash, IDLE_HOURS)
  const passkeys = await passkeySection(req)
  const notice = takeNotice(req, ACCOUNT_NOTICES)
  sendPage(res, accountPage({ session, sessions, passkeys, app: place.app, notice }))
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
    ${factList([
      ['Name', session.name],
      ['E-mail', session.email ?? 'not known'],
      ['Organisation', session.orgName],
      ['Role', roleName(session.role)],
    ])}
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
export const endSessionRoute: RequestHandler = async (req, res) => {
  const { sessionId } = req.params as { sessionId: string }
  await changeOne(
    req,
    'src/app/pages/account.ts: endSessionRoute',
    builder
      .deleteFrom('session')
      .where('person_id', '=', sessionOf(req).personId)
      .where(sql<string>`left(encode(token_hash, 'hex'), 16)`, '=', sessionId)
      .returning('org_id'),
  )
  goToWithNotice(res, '/account', 'ended')
}

/** POST /app/account/sign-out-everywhere: ends all sessions of the person. */
export const signOutEverywhereRoute: RequestHandler = async (req, res) => {
  const { personId } = sessionOf(req)
  await changeAs(req, 'src/app/pages/account.ts: signOutEverywhereRoute', (run) =>
    run(builder.deleteFrom('session').where('person_id', '=', personId)),
  )
  clearCookie(res, req.visit.place)
  goTo(res, '/sign-in')
}

/** POST /app/organisation: looks at another organisation. Only one that the person is a member of is accepted. */
export const switchOrganisationRoute: RequestHandler = async (req, res) => {
  const { personId, tokenHash } = sessionOf(req)
  const orgId = textField(req, 'organisation')
  await changeOne(
    req,
    'src/app/pages/account.ts: switchOrganisationRoute',
    builder
      .updateTable('session')
      .from('membership')
      .set({ org_id: orgId })
      .where('session.token_hash', '=', tokenHash)
      .where('membership.person_id', '=', personId)
      .where('membership.org_id', '=', orgId)
      .returning('session.org_id'),
  )
  goTo(res, '')
}
