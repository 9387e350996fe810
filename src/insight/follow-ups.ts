/** Questions that this data can answer, and that were not asked. */
import type { Chosen } from './choose.js'
import type { AttributeOf, Figures } from './figures.js'

const FOLLOW_UPS = 3

export function followUps({ frames, attributes, features }: Figures, chosen: Chosen): string[] {
  const asked = chosen.matched ? chosen.attributes.map(({ name }) => name) : []
  const open = attributes.filter(({ name, summary }) => summary !== 'none' && !asked.includes(name))
  const counted = features.filter(
    ({ dataset }) => !chosen.matched || !chosen.features.some((each) => each.dataset === dataset),
  )
  const questions = [
    ...open.filter(({ summary }) => summary === 'sum').map((figure) => questionOn(figure, frames.frames)),
    ...counted.map(({ dataset }) => `How many ${inSentence(dataset.name)} are there?`),
    ...open.filter(({ summary }) => summary !== 'sum').map((figure) => questionOn(figure, frames.frames)),
  ]
  // One of each sort before the second of any.
  const order = [0, Math.ceil(questions.length / 2), questions.length - 1, 1, 2]
  return [...new Set(order.flatMap((place) => questions[place] ?? []))].slice(0, FOLLOW_UPS)
}

function questionOn({ label, type, summary }: AttributeOf, frames: number): string {
  if (type === 'category') return `What is the most common ${inSentence(label)}?`
  if (frames > 1 && summary === 'sum') return `Which of these frames has the most: ${label}?`
  return summary === 'sum' ? `What is the total of ${label}?` : `What is the average ${inSentence(label)}?`
}

const inSentence = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
