/** Suggests questions that these figures answer and that the caller did not ask. */
import type { FacetChoice } from './choice.js'
import type { AttributeFigures, Figures } from './figures.js'

const FOLLOW_UPS = 3

export function followUps({ frames, attributes, features }: Figures, choice: FacetChoice): string[] {
  const answered = choice.isMatched ? choice.attributes.map(({ name }) => name) : []
  const open = attributes.filter(({ name, summary }) => summary !== 'none' && !answered.includes(name))
  const counted = features.filter(
    ({ dataset }) => !choice.isMatched || !choice.features.some((each) => each.dataset === dataset),
  )
  const questions = [
    ...open.filter(({ summary }) => summary === 'sum').map((attribute) => questionAbout(attribute, frames.frames)),
    ...counted.map(({ dataset }) => `How many ${insideSentence(dataset.name)} are there?`),
    ...open.filter(({ summary }) => summary !== 'sum').map((attribute) => questionAbout(attribute, frames.frames)),
  ]
  // A total, a feature dataset and an average or category come before the second of any kind.
  const order = [0, Math.ceil(questions.length / 2), questions.length - 1, 1, 2]
  return [...new Set(order.flatMap((place) => questions[place] ?? []))].slice(0, FOLLOW_UPS)
}

function questionAbout({ label, type, summary }: AttributeFigures, frames: number): string {
  if (type === 'category') return `What is the most common ${insideSentence(label)}?`
  if (frames > 1 && summary === 'sum') return `Which of these frames has the most: ${label}?`
  return summary === 'sum' ? `What is the total of ${label}?` : `What is the average ${insideSentence(label)}?`
}

const insideSentence = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
