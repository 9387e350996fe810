/** A figure of the algebra: its label says in words what it measures. */
import { defined } from '../../defined.js'
import { unitText, wholeUnitText } from '../facet-text.js'
import { capital, frameCountText, unnamedText } from '../figure-text.js'
import { NUMBER_OF } from '../composed-sentence.js'
import { saidText, type Told } from '../nouns.js'
import type { ResultOf } from '../typed.js'
import type { Kind } from './kind.js'

type Composed = ResultOf<'composed'>

const partOf = ({ recorded }: Composed) =>
  recorded ? ` (recorded on ${frameCountText(recorded.count, recorded.of)})` : ''
const endOf = (result: Composed) => (result.both === undefined ? partOf(result) : `: ${result.both}`)

export const composed: Kind<'composed'> = {
  label: (_, { label }) => capital(label),
  value: (_, result) => {
    const { number, ranked = [], more = 0 } = result
    const text = (decimal: string) => unitText(decimal, result.unit)
    if (number !== undefined) return text(number) + (result.both === undefined ? partOf(result) : ` (${result.both})`)
    const list = ranked.map((each) => (each.number === '' ? each.name : `${each.name} (${text(each.number)})`))
    return list.length === 0 ? 'none' : list.join('; ') + unnamedText({ more }, text)
  },
  // Where the words are not known, the label with its value is the sentence.
  sentences: (told, result, { name }) => {
    const text = sentenceOf(result)
    return text === undefined ? [] : `${isOfPlace(told, text) ? capital(text) : `In ${name}, ${text}`}.`
  },
}

/** "In the country" adds nothing where the figure names its places. */
const isOfPlace = ({ typed: { place } }: Told, text: string) => place === 'the country' && / in \p{Lu}/u.test(text)

function sentenceOf(result: Composed): string | undefined {
  const { said, number, ranked = [], more = 0 } = result
  if (!said) return undefined
  const told = { ...result, ...('unit' in said && defined({ unit: said.unit })) }
  const unit = 'counted' in said && said.counted ? null : told.unit
  const value = (decimal: string) => wholeUnitText(decimal, unit)
  switch (said.form) {
    case 'number': {
      if (number === undefined) return ranked[0] && `the ${said.subject} is ${ranked[0].name}`
      if (said.are) return `${said.subject} are ${value(number)}${said.end ?? ''}${endOf(result)}`
      if (!said.counted || number === '1' || !said.subject.startsWith(NUMBER_OF))
        return `the ${said.subject} is ${value(number)}${said.end ?? ''}${endOf(result)}`
      return `there are ${number === '0' ? 'no' : value(number)} ${said.subject.slice(NUMBER_OF.length)}${endOf(result)}`
    }
    case 'compared': {
      if (number === undefined) return undefined
      const [above, below, same] = said.words
      const words = number === '0' ? same : number.startsWith('-') ? below : above
      return `the ${said.subject} is ${words.replace('V', value(number.replace('-', '')))}${partOf(result)}`
    }
    case 'list': {
      if (ranked.length === 0) return said.many.replace(/^the/, 'there are no')
      const list = ranked.map((each) => (each.number === '' ? each.name : `${each.name} (${value(each.number)})`))
      return `${ranked.length + more === 1 ? `${said.one} is` : `${said.many} are`} ${saidText(list, more)}`
    }
  }
}
