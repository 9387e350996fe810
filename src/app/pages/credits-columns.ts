/** The columns of the tables about credits. */
import { groupedNumber } from '../shell/chart.js'
import { instant, type Column } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import type { CreditEntry, DatasetSpending, DayOfCredits, EntryAround, KeySpending } from '../shell/statements.js'

export const dayOfCreditsColumns: readonly Column<DayOfCredits>[] = [
  { heading: 'Day', cell: ({ day }) => day },
  { heading: 'Datasets', cell: ({ datasets }) => groupedNumber(datasets), align: 'number' },
  { heading: 'Worded answers', cell: ({ worded }) => groupedNumber(worded), align: 'number' },
  { heading: 'Given back', cell: ({ refunds }) => groupedNumber(refunds), align: 'number' },
  { heading: 'Topped up', cell: ({ topUps }) => groupedNumber(topUps), align: 'number' },
]

const spendingColumns: readonly Column<Pick<KeySpending, 'charges' | 'credits' | 'refunds'>>[] = [
  { heading: 'Charges', cell: ({ charges }) => groupedNumber(charges), align: 'number' },
  { heading: 'Credits', cell: ({ credits }) => groupedNumber(credits), align: 'number' },
  { heading: 'Given back', cell: ({ refunds }) => groupedNumber(refunds), align: 'number' },
]

/** A dataset that was removed has an id and no name. */
const datasetName = (layerId: string | null, name: string | null): Html =>
  layerId === null ? html`Worded answers` : html`${name ?? 'removed'} <code>${layerId}</code>`

/** A question in the app names the person in place of a key. */
function spender(keyId: string | null, name: string | null, lastFour: string | null): Html | string {
  if (keyId === null) return ''
  if (name === null) return html`removed <code>${keyId}</code>`
  if (keyId.startsWith('per_')) return html`${name} <span class="quiet">in the app</span>`
  return html`${name} ${lastFour !== null && html`<span class="quiet">…${lastFour}</span>`}`
}

export const datasetSpendingColumns: readonly Column<DatasetSpending>[] = [
  { heading: 'Dataset', cell: ({ layerId, name }) => datasetName(layerId, name) },
  ...spendingColumns,
]

export const keySpendingColumns: readonly Column<KeySpending>[] = [
  {
    heading: 'Key or person',
    cell: ({ keyId, name, lastFour }) => spender(keyId, name, lastFour),
  },
  ...spendingColumns,
]

const ENTRY_KINDS = { top_up: 'Topped up', dataset: 'Dataset', worded: 'Worded answer', refund: 'Given back' } as const

/** An entry apart from its account has no balance after it. */
export const loneEntryColumns: readonly Column<EntryAround>[] = [
  { heading: 'When', cell: ({ enteredAt }) => instant(enteredAt) },
  {
    heading: 'For',
    cell: ({ kind, layerId, dataset }) =>
      html`${ENTRY_KINDS[kind]}${layerId !== null && html`: ${datasetName(layerId, dataset)}`}`,
  },
  { heading: 'Key or person', cell: ({ keyId, keyName, lastFour }) => spender(keyId, keyName, lastFour) },
  { heading: 'Request', cell: ({ requestId }) => html`<code>${requestId}</code>`, width: 'minor' },
  {
    heading: 'Credits',
    cell: ({ credits }) => (credits > 0 ? `+${groupedNumber(credits)}` : groupedNumber(credits)),
    align: 'number',
  },
]

export const entryColumns: readonly Column<CreditEntry>[] = [
  ...loneEntryColumns,
  { heading: 'Balance', cell: ({ balance }) => groupedNumber(balance), align: 'number' },
]
