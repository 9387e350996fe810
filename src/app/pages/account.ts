/** GET /app/account and its forms: says who the person is, and lists the sessions and passkeys of the person. */
import type { OwnSessionRow, PasskeyRow } from '../shell/rows.js'
import type { RequestHandler, Request as ExpressRequest } from 'express'
import { builder } from '../../core/db/index.js'
import { changeAs } from '../shell/change.js'
import { badge, confirmation, distance, factList, instant, table, textInput } from '../shell/components.js'
import { textField } from '../shell/form.js'
import { html, type Html } from '../shell/html.js'
import { roleName } from '../../core/access/index.js'
import { goToWithNotice, sendPage } from '../shell/send-page.js'
import { browserName, sessionOf } from '../shell/session.js'
import { IDLE_HOURS } from '../shell/session-life.js'
import { passkeysOfPerson, roleByClaim, sessionsOfPerson } from '../shell/statements.js'
import { nameFault } from '../../core/plain-text.js'
import { badForm } from '../shell/refusals.js'
import { beginAttempt, takeAttempt } from '../sign-in/attempt.js'
import { loadPasskeyLibrary, readPasskeyAnswer, relyingParty } from '../sign-in/passkey-answer.js'
import { passkeyForm, relyingPartyOf, WHY_NO_PASSKEYS } from '../sign-in/passkey-form.js'
import { passkeyBesideClaim, passkeyNotValid } from '../sign-in/refusals.js'

export const accountRoute: RequestHandler = async (req, res) => {
  const session = sessionOf(req)
  const { db, place } = req.visit
  const sessions = await sessionsOfPerson(db, session.personId, session.tokenHash, IDLE_HOURS)
  const passkeys = await passkeySection(req)
  sendPage(res, {
    title: 'Account',
    section: '/account',
    scripts: ['passkey.js'],
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
        ${sessionTable(sessions, place.app)}
        ${confirmation({
          label: 'Sign out everywhere',
          question: 'All of these sessions end at once, this one too.',
          action: `${place.app}/account/sign-out-everywhere`,
          button: 'Sign out everywhere',
        })}
      </section>
      ${passkeys}
    `,
  })
}

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

const NAME_MAX = 100
const PASSKEYS_MAX = 20

/** POST /app/account/passkeys/options: sends the challenge for a new passkey. */
export const offerPasskeyRoute: RequestHandler = async (req, res) => {
  const { personId, name } = sessionOf(req)
  const party = relyingParty(req)
  if (await isKeptByClaim(req)) throw passkeyBesideClaim()
  const present = await passkeysOfPerson(req.visit.db, personId)
  if (present.length >= PASSKEYS_MAX) throw badForm(`A person has up to ${PASSKEYS_MAX} passkeys. Remove one first.`)
  const { generateRegistrationOptions } = await loadPasskeyLibrary()
  const options = await generateRegistrationOptions({
    rpName: 'Frames',
    rpID: party.id,
    userName: name,
    userID: new TextEncoder().encode(personId),
    // An authenticator refuses to make a second passkey for the same person.
    excludeCredentials: present.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await beginAttempt(res, { kind: 'passkey', token: options.challenge, payload: { personId } })
  res.json(options)
}

/** POST /app/account/passkeys: keeps the public key that the authenticator made. */
export const addPasskeyRoute: RequestHandler = async (req, res) => {
  const { personId } = sessionOf(req)
  const { id, origin } = relyingParty(req)
  const name = textField(req, 'name') || `Passkey of ${browserName(req.get('User-Agent')) ?? 'a browser'}`
  const fault = nameFault(name)
  if (fault !== undefined) throw badForm(fault)
  if (name.length > NAME_MAX) throw badForm(`A name has up to ${NAME_MAX} characters; ${name.length} came.`)
  const { answer, challenge } = readPasskeyAnswer(req)
  const attempt = await takeAttempt(req, { kind: 'passkey', token: challenge })
  if (attempt?.personId !== personId) throw passkeyNotValid()
  const { verifyRegistrationResponse } = await loadPasskeyLibrary()
  const checked = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!checked?.verified) throw passkeyNotValid()
  const { credential } = checked.registrationInfo
  const added = await changeAs(req, 'account.add-passkey', (run) =>
    run(
      builder
        .insertInto('passkey')
        .values({
          credential_id: credential.id,
          person_id: personId,
          public_key: Buffer.from(credential.publicKey),
          counter: String(credential.counter),
          transports: credential.transports ?? [],
          name,
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning('credential_id'),
    ),
  )
  if (added.length === 0) throw passkeyNotValid()
  goToWithNotice(res, '/account', 'account.add-passkey')
}

/** Draws the section of the account page. */
async function passkeySection(req: ExpressRequest): Promise<Html> {
  const { db, place } = req.visit
  const passkeys = await passkeysOfPerson(db, sessionOf(req).personId)
  const why = relyingPartyOf(place) ? await whyOnlyProvider(req) : WHY_NO_PASSKEYS
  return html`<section>
    <h2>Passkeys</h2>
    <p class="quiet">A passkey signs you in with this device, without a link.</p>
    ${passkeys.length > 0 && passkeyTable(passkeys, place.app)}
    ${why === undefined ? addForm(place.app) : html`<p>${why}</p>`}
  </section>`
}

const whyOnlyProvider = async (req: ExpressRequest) =>
  (await isKeptByClaim(req)) ? 'Your role comes from the provider, so only the provider signs you in.' : undefined

/** Answers whether the provider gives a role of the person, and so decides who signs in. */
const isKeptByClaim = async (req: ExpressRequest): Promise<boolean> =>
  (await roleByClaim(req.visit.db, sessionOf(req).personId)).length > 0

const addForm = (app: string): Html =>
  passkeyForm({
    action: `${app}/account/passkeys`,
    kind: 'create',
    button: 'Add a passkey',
    fields: textInput({ name: 'name', label: 'Name', hint: 'Such as the name of this device.', maxLength: NAME_MAX }),
  })

const passkeyTable = (passkeys: readonly PasskeyRow[], app: string): Html =>
  table(
    'Your passkeys',
    [
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'Added', cell: ({ createdAt }) => instant(createdAt) },
      { heading: 'Last used', cell: ({ usedAt }) => (usedAt ? distance(usedAt) : 'never') },
      {
        heading: 'Action',
        cell: ({ credentialId, name }) =>
          confirmation({
            label: 'Remove',
            question: `"${name}" then signs nobody in. Sessions go on.`,
            action: `${app}/account/passkeys/remove`,
            button: 'Remove',
            fields: html`<input type="hidden" name="passkey" value="${credentialId}" />`,
          }),
      },
    ],
    passkeys,
  )
