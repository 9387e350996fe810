/** Makes a narrative of chosen sentences. Whatever was chosen, each of them is of the menu, stands once, and is true. */
import type { Menu, Sentence } from './menu.js'

/** A paragraph of a report has a title. */
export type Paragraph = { title?: string; sentences: SaidSentence[] }
/** `figures` are places among the facets. */
export type SaidSentence = { text: string; figures: readonly number[] }
/** Numbers of the menu, from 1. */
export type Choice = readonly { title?: string; numbers: readonly number[] }[]

export const numbered = ({ lead, others }: Menu): readonly Sentence[] => [...lead, ...others]

/** The lead begins the first paragraph of a text, and stands before the sections of a report. */
export function composed(menu: Menu, choice: Choice): Paragraph[] {
  const sentences = numbered(menu)
  const lead = menu.lead.map((_, i) => i + 1)
  const [first, ...others] = choice
  const told =
    first && first.title === undefined
      ? [{ numbers: [...lead, ...first.numbers] }, ...others]
      : [{ numbers: lead }, ...choice]
  const tell = teller()
  return told
    .map(({ numbers, ...title }) => ({
      ...title,
      sentences: tell(numbers.flatMap((number) => sentences[number - 1] ?? [])),
    }))
    .filter((paragraph) => paragraph.sentences.length > 0)
}

/** Says sentences one after another, each once. */
function teller() {
  const said = new Set<Sentence>()
  const uses = new Map<number, number>()
  return (sentences: readonly Sentence[]): SaidSentence[] => {
    let last: { start: string; opens: boolean } | undefined
    return sentences.flatMap((sentence) => {
      const { wordings, figures, start, pronoun } = sentence
      if (said.has(sentence)) return []
      said.add(sentence)
      const turn = uses.get(wordings.length) ?? 0
      uses.set(wordings.length, turn + 1)
      const text = wordings[turn % wordings.length] ?? ''
      const opens = start !== '' && text.startsWith(`${start} `)
      const follows = opens && last?.opens === true && last.start === start
      last = { start, opens }
      return [{ text: follows ? `${pronoun}${text.slice(start.length)}` : text, figures }]
    })
  }
}

export const narrativeText = (paragraphs: readonly Paragraph[]): string =>
  paragraphs
    .map(({ title, sentences }) => {
      const text = sentences.map((sentence) => sentence.text).join(' ')
      return title === undefined ? text : `## ${title}\n${text}`
    })
    .join('\n\n')

/** Returns the narrative from its first sentence on that is not of the menu; an empty text where all are. */
export function unknownPart(narrative: string, { lead, all }: Menu): string {
  const known = [...lead, ...all].flatMap(({ wordings, start, pronoun }) => [
    ...wordings,
    ...wordings.flatMap((text) => (text.startsWith(`${start} `) ? [pronoun + text.slice(start.length)] : [])),
  ])
  let rest = narrative.replaceAll(/^## .*$/gm, '').trim()
  for (;;) {
    const next = known.find((text) => rest.startsWith(text) && /^(?:\s|$)/.test(rest.slice(text.length)))
    if (rest === '' || next === undefined) return rest
    rest = rest.slice(next.length).trim()
  }
}
