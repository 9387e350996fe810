/** GET /app/keys/{id}: what a key may do, how it is used, its events, and the forms that roll and revoke it. */
import type { Request as ExpressRequest, RequestHandler } from 'express'
import type { DatasetToChoose, DayOfKey, KeyOnPage, OutcomeOfUse, RefusalOfKey } from '../shell/rows.js'
import { CAP_MOST, type Grace, graceValue, keyIdValue, LIFETIME_DAYS, newKeyId } from '../../core/access/index.js'
import { wholeNumber } from '../../core/values.js'
import { barChart, groupedNumber } from '../shell/chart.js'
import { confirmation, distance, emptyState, factList, instant, requestLink, table } from '../shell/components.js'
import { expiryField, expiryInput } from '../shell/expiry.js'
import { chosen, type Filled, given, offered, optional } from '../shell/fields.js'
import { columnsOf } from '../shell/columns.js'
import { html, type Html } from '../shell/html.js'
import {
  endsSoon,
  LAST_DAYS,
  lastDaysOf,
  lastUseText,
  refusalName,
  rightsOf,
  stateOf,
  unreadNote,
} from '../shell/key-state.js'
import type { PageContent } from '../shell/layout.js'
import { daysOf, lastDays } from '../shell/period.js'
import { noSuchPage } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import {
  datasetsToChoose,
  eventsOfKey,
  keysOfOrganisation,
  refusalsOfLastDays,
  useByOutcome,
  useOfLastDays,
} from '../shell/statements.js'
import { eventCells } from './events.js'

const EVENTS_OF_KEY = 50

export const rollFields = {
  key: given(keyIdValue),
  expires: expiryField,
  grace: chosen(graceValue, {
    label: 'The present key',
    hint: 'Never longer than its own expiry.',
    options: [
      { value: 'now', label: 'ends now' },
      { value: '1h', label: 'stays valid for an hour' },
      { value: '24h', label: 'stays valid for 24 hours' },
      { value: '7d', label: 'stays valid for 7 days' },
    ],
  }),
}

const capField = optional(chosen(wholeNumber('CAP', 0, CAP_MOST)))
export const capFields = {
  daily_credits: capField,
  monthly_credits: capField,
  daily_words: capField,
  monthly_words: capField,
}

/** A successor lives as long as its key did, unless the person chooses otherwise. */
const blankRoll = (key: KeyOnPage): Filled => offered({ key: newKeyId(), days: String(daysOfLife(key)), grace: '24h' })

const daysOfLife = ({ mintedAt, expiresAt }: KeyOnPage): number => {
  const days = Math.round((expiresAt.getTime() - mintedAt.getTime()) / 86_400_000)
  return Math.min(Math.max(days, LIFETIME_DAYS.least), LIFETIME_DAYS.most)
}

export const keyRoute: RequestHandler = async (req, res) => sendPage(res, await keyPage(req))

export async function keyPage(req: ExpressRequest, refused?: Filled): Promise<PageContent> {
  const { db } = req.visit
  const { keyId } = req.params as { keyId: string }
  // A key of another organisation is as unknown as one that nobody minted.
  const key = (await keysOfOrganisation(db, sessionOf(req).orgId)).find((each) => each.keyId === keyId)
  if (!key) throw noSuchPage()
  const { first, last } = lastDays(LAST_DAYS)
  const [used, refusals, outcomes, events, datasets] = await Promise.all([
    useOfLastDays(db, [keyId], LAST_DAYS),
    refusalsOfLastDays(db, [keyId], LAST_DAYS),
    useByOutcome(db, [keyId], first, last),
    eventsOfKey(db, keyId, EVENTS_OF_KEY),
    key.datasets === null ? [] : datasetsToChoose(db, sessionOf(req).orgId),
  ])
  const path = `${req.visit.place.app}/keys`
  const roll = refused ?? blankRoll(key)
  return {
    title: key.name,
    section: '/keys',
    faults: roll.faults,
    actions: html`${stateOf(key)}`,
    body: html`
      ${unreadNote(key, datasets)} ${facts(key, path, datasets)}
      ${useSection(req.visit.place.app, key, { used, refusals, outcomes })} ${key.isUsable && changes(key, roll, path)}
      <section>
        <h2>Events</h2>
        ${table('Events of this key, the newest first', columnsOf(eventsOfKey, eventCells(req.visit.place.app)), events)}
      </section>
    `,
  }
}

/** A dataset that the organisation does not read at present has its id alone. */
const datasetsOfKey = ({ datasets }: KeyOnPage, known: readonly DatasetToChoose[]): Html | string =>
  datasets === null
    ? 'every dataset that the organisation can read'
    : html`${datasets.map((layerId) => {
        const name = known.find((each) => each.layerId === layerId)?.name
        return html`<div>${name} <code>${layerId}</code></div>`
      })}`

const facts = (key: KeyOnPage, path: string, datasets: readonly DatasetToChoose[]): Html =>
  factList(
    [
      ['Id', html`<code>${key.keyId}</code>`],
      ['Secret', html`ends in <code>${key.lastFour}</code>`],
      ['May', html`${rightsOf(key)} <span class="quiet">${key.capabilities.join(', ')}</span>`],
      ['Datasets', datasetsOfKey(key, datasets)],
      ['Minted', html`${instant(key.mintedAt)} by ${key.mintedBy ?? 'the operator'}`],
      ['Last used', html`${lastUseText(key)}${key.seenAt && html`, ${instant(key.seenAt)}`}`],
      [key.isUsable ? 'Ends' : 'Ended', endInFull(key)],
      ['Replaces', keyLink(path, key.rolledFrom)],
      ['Replaced by', keyLink(path, key.rolledTo)],
    ],
    true,
  )

const keyLink = (path: string, keyId: string | null): Html | false =>
  keyId !== null && html`<a href="${path}/${keyId}">${keyId}</a>`

const endInFull = (key: KeyOnPage): Html =>
  html`${key.isUsable && html`<span class="${endsSoon(key) && 'soon'}">${distance(key.endsAt)}</span>, `}${instant(key.endsAt)}`

const callsChart = (days: readonly { calls: number; unanswered: number }[]): Html =>
  barChart({
    title: 'Calls by day',
    unit: 'calls',
    days: daysOf(lastDays(days.length)),
    series: [
      { kind: 'answered', title: 'Answered', values: days.map(({ calls, unanswered }) => calls - unanswered) },
      { kind: 'refused', title: 'Not answered', values: days.map(({ unanswered }) => unanswered) },
    ],
  })

type KeyUsed = { used: readonly DayOfKey[]; refusals: readonly RefusalOfKey[]; outcomes: readonly OutcomeOfUse[] }

function useSection(app: string, { keyId }: KeyOnPage, { used, refusals, outcomes }: KeyUsed): Html {
  return html`<section>
    <h2>The last ${LAST_DAYS} days</h2>
    ${
      used.length === 0
        ? emptyState('No calls', html`<p>Counts are at most 15 seconds old.</p>`)
        : html`${callsChart(lastDaysOf(keyId, used))}
          ${table(
            'Calls by outcome',
            [
              { heading: 'Call', cell: ({ call }: OutcomeOfUse) => html`<code>${call}</code>` },
              { heading: 'Outcome', cell: refusalName },
              { heading: 'Calls', cell: ({ calls }: OutcomeOfUse) => groupedNumber(calls), align: 'number' },
            ],
            outcomes,
          )}`
    }
    ${
      refusals.length > 0 &&
      html`<h3>Calls that were not answered</h3>
        ${table(
          'Calls that were not answered',
          [
            { heading: 'Error', cell: (each) => html`<code>${refusalName(each)}</code>` },
            { heading: 'Last request id', cell: ({ lastRequestId }) => requestLink(app, lastRequestId) },
            { heading: 'Calls', cell: ({ calls }) => groupedNumber(calls), align: 'number' },
          ],
          refusals,
        )}`
    }
  </section>`
}

const lastUseSentence = (key: KeyOnPage): Html => html`Last used: ${lastUseText(key)}.`

const changes = (key: KeyOnPage, roll: Filled, path: string): Html =>
  html`<div class="grid broad">
    <section class="panel">
      <h2>Roll</h2>
      ${
        key.rolledTo !== null
          ? html`<p>This key was rolled: <a href="${path}/${key.rolledTo}">its successor</a> has the same rights.</p>`
          : html`<p class="quiet">A new key with a new secret and the same rights takes its place.</p>
              <form class="form" method="post" action="${path}/${key.keyId}/roll">
                <input type="hidden" name="key" value="${roll.text('key')}" />
                ${expiryInput({ legend: 'Expiry of the new key', form: roll, ownDays: daysOfLife(key) })}
                ${rollFields.grace.draw(roll, 'grace')}
                <button class="primary">Roll the key</button>
              </form>`
      }
    </section>
    ${capsCard(key, path)}
    <section class="panel">
      <h2>Revoke</h2>
      <p class="quiet">The key ends at once. Nothing brings it back.</p>
      ${confirmation({
        label: 'Revoke the key',
        question: html`The API refuses <strong>${key.name}</strong> at once, and for good. ${lastUseSentence(key)}
          Counts are at most 15 seconds old.`,
        action: `${path}/${key.keyId}/revoke`,
        button: 'Revoke it now',
      })}
    </section>
  </div>`

const capsCard = (key: KeyOnPage, path: string): Html => {
  const row = (name: keyof typeof capFields, label: string, cap: number | null) =>
    html`<label
      >${label}
      <input
        class="few"
        name="${name}"
        value="${cap === null ? '' : String(cap)}"
        inputmode="numeric"
        pattern="[0-9]{0,9}"
        maxlength="9"
        placeholder="none"
        autocomplete="off"
      />
    </label>`
  return html`<section class="panel">
    <h2>Caps</h2>
    <p class="quiet">
      By day and month, UTC. Past a cap the key is still answered, with less: without words, and without datasets that
      cost credits.
    </p>
    <form class="form" method="post" action="${path}/${key.keyId}/caps">
      ${row('daily_credits', 'Credits a day', key.dailyCredits)}
      ${row('monthly_credits', 'Credits a month', key.monthlyCredits)}
      ${row('daily_words', 'Worded answers a day', key.dailyWords)}
      ${row('monthly_words', 'Worded answers a month', key.monthlyWords)}
      <button>Set the caps</button>
    </form>
  </section>`
}

const GRACE_NOTES: Readonly<Record<Grace, string>> = {
  now: 'has ended.',
  '1h': 'stays valid for an hour, and never beyond its own expiry.',
  '24h': 'stays valid for 24 hours, and never beyond its own expiry.',
  '7d': 'stays valid for 7 days, and never beyond its own expiry.',
}

export const graceNote = (grace: Grace): string => `The key that it replaces ${GRACE_NOTES[grace]}`
