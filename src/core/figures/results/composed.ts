/** A figure of the algebra: its label says in words what it measures. */
import { groupThousands } from '../../decimal.js'
import { frameCountText, unnamedText, withUnit } from '../figure-text.js'
import type { Kind } from './kind.js'

export const composed: Kind<'composed'> = {
  label: (_, { label }) => label.charAt(0).toUpperCase() + label.slice(1),
  value: (_, { unit, number, ranked = [], more = 0, recorded }) => {
    const text = (decimal: string) => (unit === '%' ? `${groupThousands(decimal)} %` : withUnit(decimal, unit))
    const part = recorded ? ` (recorded on ${frameCountText(recorded.count, recorded.of)})` : ''
    if (number !== undefined) return text(number) + part
    const list = ranked.map((each) => (each.number === '' ? each.name : `${each.name} (${text(each.number)})`))
    return list.length === 0 ? 'none' : list.join('; ') + unnamedText({ more }, text)
  },
  // The label with its value is the sentence.
  sentences: () => [],
}
