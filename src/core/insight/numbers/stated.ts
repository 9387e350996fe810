/**
 * Numbers that are figures only behind some words of a text: a change, a bound of a condition, and a year of a label.
 */
import { readNumbers } from './numbers.js'

export type Stated = {
  value: string
  unit: string | undefined
  noun: string | undefined
  /** Stands before the number, and behind it. */
  before?: RegExp
  after?: RegExp
}

const UPPER = 'within|at most|up to|under|below|less than|fewer than|(?:no|not) (?:more|further|farther) than'
const LOWER =
  '(?<!no |not )(?:more|further|farther|greater) than|above|over|beyond|at least|exceeding|no (?:less|fewer) than'
const LESS =
  /\b(?:fell|fall\w*|decreas\w*|declin\w*|dropp?\w*|shr[aiu]nk\w*|los[est]\w*|fewer|less|lower|down)\b[^.;!?]*$/i
const MORE = /\b(?:gr[eo]w\w*|increas\w*|r[io]se\w*|rising|gain\w*|add\w*|more|higher|up)\b[^.;!?]*$/i
const BOUNDS: Readonly<Record<string, RegExp>> = {
  above: new RegExp(`(?:\\b(?:${LOWER}|between|from)) $`, 'i'),
  below: new RegExp(`(?:\\b(?:${UPPER})|\\d and|\\d to) $`, 'i'),
}

/** "An increase of 3,880 people, 2.3 %" has its two numbers behind a word that says which way. */
export function numbersOfChange(value: string): Stated[] {
  const [, change = '', way] = /^(an? (increase|decrease) of [^(]*)/.exec(value) ?? []
  const before = way === 'increase' ? MORE : LESS
  return readNumbers(change).flatMap((number) => ('why' in number ? [] : [{ ...number, before }]))
}

/** "On frames where the distance is at most 2 km", "wards above 100,000 people", "2026 estimate". */
export function numbersOfLabel(label: string): Stated[] {
  const years = [...label.matchAll(/\b(?:19|20)\d\d\b/g)].map(([value]): Stated => ({
    value,
    unit: undefined,
    noun: 'year',
    before: /\b(?:in|of|for|from|to|by|since|until|during|between|and|year) $/i,
    // "In 2026 villages" counts them.
    after: /^(?!,?\d|[- ]\p{L}+(?<!\b(?:was|is|has|this|its))s\b)/u,
  }))
  const bounds = readNumbers(label).flatMap((number): Stated[] => {
    const [, words = ''] = /\b(above|at least|below|at most) $/.exec(label.slice(0, number.at)) ?? []
    const before = BOUNDS[words === 'at least' ? 'above' : words === 'at most' ? 'below' : words]
    return 'why' in number || !before ? [] : [{ ...number, before }]
  })
  return [...years, ...bounds]
}

export const isStated = (text: string, at: number, end: number, { before, after }: Stated): boolean =>
  (before === undefined || before.test(text.slice(Math.max(0, at - 80), at))) &&
  (after === undefined || after.test(text.slice(end, end + 40)))
