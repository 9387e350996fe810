/** Adds up what the calls of a run would be charged for values, against one balance. Reads and charges nothing. */
import { counted } from '../../core/counted.js'
import { dataAt, piecesOf, sideBySide, type Api } from './api.js'
import { dataPath } from './values.js'

type PricedDataset = { layerId: string; name: string; price: number }
type PriceAnswer = {
  leftOut: PricedDataset[]
  /** `balance` is absent where no dataset with a price records something. */
  price: { datasets: PricedDataset[]; balance?: number }
}

/** The calls that a dataset would be charged for, and their credits. */
type PricedValues = { layerId: string; charges: number; credits: number }
export type RunPrice = {
  calls: number
  /** The sum that the run would be charged. */
  credits: number
  values: PricedValues[]
  /** The datasets at which the run would stop: the credits do not cover them. */
  leftOut: (PricedDataset & { reason: 'insufficient_credits' })[]
  /** The sum with enough credits. */
  creditsNeeded: number
  /** Absent where the run would pay for nothing. */
  balance?: number
}

type PriceSum = { add: (answer: PriceAnswer) => void; total: () => RunPrice }

/** The calls come in the order of the run. A run ends at the first call that leaves a dataset out. */
export function sumOfPrices(layers: readonly string[]): PriceSum {
  const values = layers.map((layerId): PricedValues => ({ layerId, charges: 0, credits: 0 }))
  const sum: RunPrice = { calls: 0, credits: 0, values, leftOut: [], creditsNeeded: 0 }
  const add = ({ leftOut, price }: PriceAnswer) => {
    sum.calls += 1
    const priced = [...price.datasets, ...leftOut].sort((a, b) => (a.layerId < b.layerId ? -1 : 1))
    sum.creditsNeeded += priced.reduce((credits, each) => credits + each.price, 0)
    if (price.balance !== undefined) sum.balance = price.balance
    if (sum.leftOut.length > 0) return
    for (const each of priced) {
      if (sum.credits + each.price > (price.balance ?? Infinity)) {
        sum.leftOut.push({ layerId: each.layerId, name: each.name, reason: 'insufficient_credits', price: each.price })
        continue
      }
      sum.credits += each.price
      const dataset = values.find(({ layerId }) => layerId === each.layerId)
      if (!dataset) continue
      dataset.charges += 1
      dataset.credits += each.price
    }
  }
  return { add, total: () => sum }
}

/** Asks for the prices of the calls that read these frames. */
export async function addPricesOn(
  api: Api,
  ids: readonly string[],
  layers: readonly string[],
  { add }: PriceSum,
): Promise<void> {
  const asked = piecesOf(ids, api.idsAtOnce)
  const answers = await sideBySide(api, asked, (some) =>
    dataAt<PriceAnswer>(api, `${dataPath(some, layers)}&price=true`),
  )
  for (const answer of answers) add(answer)
}

const credits = (number: number) => counted(number, 'credit')
const calls = (number: number) => counted(number, 'call')

export function priceReport(price: RunPrice): string {
  const lines = price.values.map(({ layerId, charges, credits: some }) =>
    charges === 0 ? `${layerId}: nothing is charged.` : `${layerId}: ${credits(some)}, for ${calls(charges)}.`,
  )
  const balance = price.balance === undefined ? '' : ` The organisation has ${credits(price.balance)}.`
  const ends = price.leftOut.map(
    ({ layerId, price: each }) =>
      `The credits do not cover ${layerId} (${credits(each)} a call) to the end: the run would stop there. With ${credits(price.creditsNeeded)} it would end.`,
  )
  return [...lines, `In all: ${credits(price.credits)} of ${calls(price.calls)}.${balance}`, ...ends].join('\n')
}
