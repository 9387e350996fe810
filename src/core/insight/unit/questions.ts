/** Questions that the totals of a unit answer, to ask next. */
import { isUnitLabel } from '../reading/topic.js'
import { insideSentence } from '../operations/subject.js'
import type { Subject } from '../reading/reading.js'
import type { UnitTarget, UnitFact } from './scope.js'

export type SuggestedQuestion = { question: string; subject: Subject }

const PART_TITLES = ['state', 'LGA', 'ward'] as const

/** The questions about each total in turn; `readAgain` says which of them are read as they are meant. */
export function questionsAbout({ facts, path, box }: UnitTarget): SuggestedQuestion[] {
  const part = box ? undefined : PART_TITLES[path.length]
  // The newest estimate is the last.
  const people = facts.findLast((fact) => fact.summary === 'sum' && fact.unit === 'people' && fact.number !== null)
  const inOrder = people ? [people, ...facts.filter((fact) => fact !== people)] : facts
  return inOrder.flatMap((fact) => {
    const { dataset, attribute, summary, recorded } = fact
    const isFeature = dataset.kind !== 'frames'
    if (summary === 'none' || summary === 'length' || summary === 'area' || isUnitLabel(fact.label)) return []
    if (recorded === 0) return []
    const subject: Subject = isFeature
      ? { kind: 'features', layerId: dataset.layerId }
      : { kind: 'attribute', layerId: dataset.layerId, attribute }
    return questionsOf(fact, part, people).map((question) => ({ question, subject }))
  })
}

function questionsOf(
  fact: UnitFact,
  part: (typeof PART_TITLES)[number] | undefined,
  people: UnitFact | undefined,
): string[] {
  // "Languages in the frame" are those of each frame of the unit.
  const noun = nounOf(fact.label).replace(/ in the frame$/, '')
  const counts = fact.unit !== null && noun.split(' ').includes(fact.unit.split(' ')[0] ?? '')
  const [counted = noun] = noun.split(' (')
  const which = part === undefined ? [] : [part]
  switch (fact.summary) {
    case 'mode':
      return [/\bor\b/.test(noun) ? `Is this mostly ${noun}?` : `What is the most common ${noun}?`]
    case 'count':
      return [
        `How many ${noun} are there?`,
        ...which.map((each) => `Which ${each} has the most ${noun}?`),
        ...(people ? [`How many ${noun} are there per 10,000 people?`] : []),
      ]
    case 'sum':
      return fact.unit === 'people'
        ? [
            'How many people are there?',
            ...which.map((each) => `Which ${each} has the most people?`),
            'What is the density of people?',
          ]
        : [`How many ${counted} are there?`, ...which.map((each) => `Which ${each} has the most ${counted}?`)]
    case 'mean':
    case 'weighted_mean':
      return [
        `What is the ${/^(?:mean|average)\b/.test(noun) ? noun : `average ${counts ? 'number of ' : ''}${noun}`}?`,
        ...which.map((each) => `Which ${each} has the ${counts ? 'most' : 'highest'} ${noun}?`),
      ]
    case 'none':
    case 'length':
    case 'area':
      return []
  }
}

/** "Population, 2026 estimate" is "population (2026 estimate)" inside a question. */
function nounOf(label: string): string {
  const [name = '', ...parts] = label.split(', ')
  const noun = insideSentence(name)
  return parts.length === 0 ? noun : `${noun} (${parts.join(', ')})`
}
