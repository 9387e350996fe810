/** GET /app/keys: the keys of the organisation, those that need somebody first, and those that ended folded away. */
import type { RequestHandler } from 'express'
import type { DayOfKey, KeyOnPage, RefusalOfKey } from '../shell/rows.js'
import { keyPage, type RollForm } from './key.js'
import { mintedPage } from './new-key.js'
import { changeAs } from '../shell/change.js'
import { groupedNumber, smallBars } from '../shell/chart.js'
import { type Column, dayOf, emptyState, folded, table } from '../shell/components.js'
import { expiryFields, chosenExpiry } from '../shell/expiry.js'
import { newKeyField, textField } from '../shell/form.js'
import { type Html, html } from '../shell/html.js'
import {
  endOf,
  endsSoon,
  isIdle,
  LAST_DAYS,
  lastDaysOf,
  lastUseText,
  readsEverything,
  rightsOf,
  stateOf,
  unreadNote,
  wasNeverUsed,
} from '../shell/key-state.js'
import type { PageContent } from '../shell/layout.js'
import { goToWithNotice, takeNotice } from '../shell/notice.js'
import { alreadyMinted, noSuchPage, notRolled } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { datasetsToChoose, keysOfOrganisation, refusalsOfLastDays, useOfLastDays } from '../shell/statements.js'
import { FieldFault } from '../../core/access/field-fault.js'
import { AlreadyMinted, GRACE_HOURS, NotRolled, revokeKey, rollKey, UnknownKey } from '../../core/access/keys.js'
import { counted } from '../../core/counted.js'

const KEY_NOTICES = { revoked: 'The key was revoked. The API refuses it from now on.' }

export const keysRoute: RequestHandler = async (req, res) => {
  const { db, place } = req.visit
  const keys = await keysOfOrganisation(db, sessionOf(req).orgId)
  const keyIds = keys.filter(({ isUsable }) => isUsable).map(({ keyId }) => keyId)
  const [used, refusals] = await Promise.all([
    useOfLastDays(db, keyIds, LAST_DAYS),
    refusalsOfLastDays(db, keyIds, LAST_DAYS),
  ])
  sendPage(res, keysPage({ keys, used, refusals, path: `${place.app}/keys`, notice: takeNotice(req, KEY_NOTICES) }))
}

type KeysPage = {
  keys: readonly KeyOnPage[]
  used: readonly DayOfKey[]
  refusals: readonly RefusalOfKey[]
  path: string
  notice: string | undefined
}

function keysPage({ keys, used, refusals, path, notice }: KeysPage): PageContent {
  const usable = keys.filter(({ isUsable }) => isUsable)
  const ended = keys.filter(({ isUsable }) => !isUsable)
  return {
    title: 'Keys',
    section: '/keys',
    notice,
    actions: html`<a class="button primary" href="${path}/new">New key</a>`,
    body: html`
      ${
        usable.length === 0
          ? emptyState(
              keys.length === 0 ? 'No keys yet' : 'No key is valid now',
              html`<p>A program needs a key to call the API.</p>
                <p><a class="button" href="${path}/new">Mint a key</a></p>`,
            )
          : html`${cards(usable)} ${table('Keys that are valid', usableColumns({ path, used, refusals }), usable)}
              <p class="quiet">Bars and errors are of the last ${LAST_DAYS} days, and at most 15 seconds old.</p>`
      }
      ${
        ended.length > 0 &&
        folded(
          'fold',
          `${counted(ended.length, 'key has', 'keys have')} ended`,
          table('Keys that have ended', endedColumns(path), ended),
        )
      }
    `,
  }
}

const cards = (usable: readonly KeyOnPage[]): Html => {
  const card = (count: number, title: string) =>
    html`<p class="figure"><span class="number">${count}</span> ${title}</p>`
  return html`<div class="figures">
    ${card(usable.filter((key) => endsSoon(key)).length, 'end within 14 days')}
    ${card(usable.filter((key) => isIdle(key)).length, 'not used for 90 days')}
    ${card(usable.filter(wasNeverUsed).length, 'never used')}
    ${card(usable.filter(readsEverything).length, 'read every dataset')}
  </div>`
}

const nameColumn = (path: string): Column<KeyOnPage> => ({
  heading: 'Key',
  cell: (key) =>
    html`<a class="clamped" href="${path}/${key.keyId}" title="${key.name}">${key.name}</a>
      <code class="tail">…${key.lastFour}</code> ${stateOf(key)}`,
  width: 'wide',
})

const rightsColumn: Column<KeyOnPage> = {
  heading: 'May',
  cell: (key) => html`${rightsOf(key)}<br />${reachOf(key)}`,
}

/** The page of the key lists the datasets. */
const reachOf = ({ datasets }: KeyOnPage): Html =>
  datasets === null
    ? html`<span class="quiet" title="all that the organisation can read">every dataset</span>`
    : html`<span class="quiet" title="${datasets.join(', ')}">${counted(datasets.length, 'dataset')}</span>`

const mintedColumn: Column<KeyOnPage> = {
  heading: 'Minted',
  cell: ({ mintedAt, mintedBy }) =>
    html`${dayOf(mintedAt)}<br /><span class="quiet">by ${mintedBy ?? 'the operator'}</span>`,
  width: 'minor',
}

const seenColumn: Column<KeyOnPage> = {
  heading: 'Last used',
  cell: (key) => (key.seenAt ? lastUseText(key) : html`<span class="quiet">${lastUseText(key)}</span>`),
  width: 'short',
}

function usableColumns({ path, used, refusals }: Pick<KeysPage, 'path' | 'used' | 'refusals'>): Column<KeyOnPage>[] {
  return [
    nameColumn(path),
    rightsColumn,
    mintedColumn,
    seenColumn,
    { heading: 'Ends', cell: endOf, width: 'short' },
    { heading: 'Calls', cell: ({ keyId }) => smallBars(lastDaysOf(keyId, used)) },
    { heading: 'Errors', cell: ({ keyId }) => refusalCounts(refusals.filter((each) => each.keyId === keyId)) },
  ]
}

/** The three most frequent codes. The page of the key tells the buckets apart. */
function refusalCounts(refusals: readonly RefusalOfKey[]): Html {
  const byCode = new Map<string, number>()
  for (const { outcome, calls } of refusals) byCode.set(outcome, (byCode.get(outcome) ?? 0) + calls)
  if (byCode.size === 0) return html`<span class="quiet">none</span>`
  const codes = [...byCode].toSorted(([, one], [, other]) => other - one).slice(0, 3)
  return html`<ul class="bare">
    ${codes.map(([code, calls]) => html`<li><code>${code}</code> ${groupedNumber(calls)}</li>`)}
  </ul>`
}

const endedColumns = (path: string): Column<KeyOnPage>[] => [
  nameColumn(path),
  rightsColumn,
  mintedColumn,
  seenColumn,
  { heading: 'Ended', cell: endOf, width: 'short' },
]

/** POST /app/keys/{id}/roll: the answer shows the secret of the new key. */
export const rollKeyRoute: RequestHandler = async (req, res) => {
  const form: RollForm = {
    keyId: newKeyField(req),
    expiry: expiryFields(req),
    grace: textField(req, 'grace'),
    faults: {},
  }
  const { orgId, personId } = sessionOf(req)
  const { keyId } = req.params as { keyId: string }
  const { db, place } = req.visit
  try {
    const key = await changeAs(req, 'src/app/pages/keys.ts: rollKeyRoute', (run) =>
      rollKey(
        run,
        { keyId, orgId },
        { keyId: form.keyId, createdBy: personId, graceHours: graceOf(form.grace), ...chosenExpiry(form.expiry) },
      ),
    )
    const known = await datasetsToChoose(db, orgId)
    const before = html`<p>${GRACE_NOTES[form.grace]}</p>
      ${unreadNote(key, known)}`
    sendPage(res, mintedPage(key, place, before))
  } catch (error) {
    if (error instanceof UnknownKey) throw noSuchPage()
    if (error instanceof AlreadyMinted) throw alreadyMinted(form.keyId)
    if (error instanceof NotRolled) throw notRolled()
    if (!(error instanceof FieldFault)) throw error
    res.status(422)
    sendPage(res, await keyPage(req, { ...form, faults: { [error.field]: error.message } }))
  }
}

function graceOf(grace: string): number {
  const hours = Object.entries(GRACE_HOURS).find(([name]) => name === grace)?.[1]
  if (hours === undefined) throw new FieldFault('grace', `${Object.keys(GRACE_HOURS).join(', ')} are accepted.`)
  return hours
}

const GRACE_NOTES: Readonly<Record<string, string>> = {
  now: 'The key that it replaces has ended.',
  '1h': 'The key that it replaces stays valid for an hour, and never beyond its own expiry.',
  '24h': 'The key that it replaces stays valid for 24 hours, and never beyond its own expiry.',
  '7d': 'The key that it replaces stays valid for 7 days, and never beyond its own expiry.',
}

/** POST /app/keys/{id}/revoke. */
export const revokeKeyRoute: RequestHandler = async (req, res) => {
  const { orgId } = sessionOf(req)
  const { keyId } = req.params as { keyId: string }
  const revoked = changeAs(req, 'src/app/pages/keys.ts: revokeKeyRoute', (run) => revokeKey(run, keyId, orgId))
  await revoked.catch((error: unknown) => {
    throw error instanceof UnknownKey ? noSuchPage() : error
  })
  goToWithNotice(res, '/keys', 'revoked')
}
