/**
 * Fills the slots of a template, and refuses a template whose words do not fit its slots. The words around a slot are a
 * closed list (words/vocabulary.ts), and each is held to the facet (words/agreement.ts) and to the figures
 * (words/claims.ts). The text of a slot says what it counts (words/slot-text.ts).
 */
import { promptTitle, type NarrativeInput, type Section } from './prompt.js'
import { isQuotable, proseFaults } from './prose.js'
import type { LabelledValue } from './verify.js'
import { agreementFaults } from './words/agreement.js'
import { claimFaults } from './words/claims.js'
import { facetWords, familiesOf } from './words/facet-words.js'
import { neighbourFaults } from './words/neighbours.js'
import { withPlainCounts } from './words/plain-counts.js'
import { slotText } from './words/slot-text.js'
import { isSlot, proseSentences, wordAt } from './words/tokens.js'
import { viewOf, type SentenceView, type WordContext } from './words/views.js'
import { isListedWord, NEGATIONS } from './words/vocabulary.js'

const LENGTH_MAX = 6000
const FAULTS_MAX = 10
const HEADING_WORDS_MAX = 4
/** Longer sentences would take long to check. */
const SENTENCE_TOKENS_MAX = 250
const SLOT = /\{[FL][1-9]\d{0,2}\}/g
const ANY_SLOT = /\{[FLI][1-9]\d{0,2}\}/g

export type TemplateInput = Pick<NarrativeInput, 'question' | 'sections' | 'synonyms'> & {
  facts: Pick<NarrativeInput['facts'], 'facets'> & Partial<Pick<NarrativeInput['facts'], 'frames' | 'frameIds'>>
}

/** Returns the narrative, or the faults of the template in sentences that the model can act on. */
export function fillSlots(template: string, input: TemplateInput): { text: string } | { faults: string[] } {
  const { facets } = input.facts
  const typed = template.replace(/\r\n/g, '\n').trim()
  if (typed === '') return { faults: ['The text is empty.'] }
  if (typed.length > LENGTH_MAX) return { faults: ['The text is too long.'] }
  if (/\{I/.test(typed)) return { faults: ['There is a brace that is no slot: a slot is written {F1}.'] }
  const text = plainText(typed, input)
  const sections = input.sections ?? []
  const context = contextOf(input)
  const parts = splitAtTitles(text, sections).map((part) => ({ ...part, views: viewsOf(part.prose, context) }))
  const titles = parts.flatMap(({ section }) => (section ? [section] : []))
  const inOrder = titles.length === sections.length && titles.every((section, i) => section === sections[i])
  const faults = [
    ...(inOrder ? [] : ['The titles are not those given, each on a line of its own, in their order.']),
    ...parts.flatMap((part) => partFaults(part, context)),
  ]
  if (
    facets.length > 0 &&
    !parts.some(({ prose, views }) => slotsIn(prose).some(isValueSlot) || views.some(saysNothing))
  )
    faults.push('No figure is given by its slot.')
  if (faults.length > 0) return { faults: [...new Set(faults)].slice(0, FAULTS_MAX) }
  return { text: parts.map((part) => filledPart(part, context)).join('\n\n') }
}

function plainText(text: string, { facts: { facets, frames = 0, frameIds = [] } }: TemplateInput): string {
  const place = facets.findIndex(({ label, value }) => label === 'Frames' && value === `${frames} frames`)
  const labels = facets.map(({ label }) => label)
  const values = facets.map(({ value }) => value)
  return withPlainCounts(text, {
    frames,
    framesSlot: place < 0 ? undefined : `{F${place + 1}}`,
    frameIds,
    labels,
    values,
  })
}

function contextOf({ facts: { facets, frameIds = [] }, question = '', synonyms = [] }: TemplateInput): WordContext {
  const described = facets.map(facetWords)
  return { facets: described, families: familiesOf(described, synonyms), frameIds, question }
}

type ProsePart = { title?: string; prose: string; section?: Section | undefined }
type PartView = ProsePart & { views: SentenceView[] }

/** A heading may have another level, a colon or blanks. A line that is no title stays prose, which refuses its #. */
function splitAtTitles(text: string, sections: readonly Section[]): ProsePart[] {
  const parts: ProsePart[] = [{ prose: '' }]
  for (const line of text.split('\n')) {
    const heading =
      /^#{1,6}\s+(.*?)[\s:.]*$/.exec(line)?.[1] ??
      (sections.length > 0 && /^[^{}.]+:?\s*$/.test(line) ? line.replace(/[\s:]+$/, '') : undefined)
    const section =
      heading === undefined
        ? undefined
        : sections.find(({ title }) => promptTitle(title).toLowerCase() === heading.toLowerCase())
    if (section) parts.push({ title: promptTitle(section.title), prose: '', section })
    else if (sections.length > 0 && heading !== undefined && line.startsWith('#') && isPlainHeading(heading))
      parts.push({ title: heading, prose: '' })
    else (parts.at(-1) ?? { prose: '' }).prose += `${line}\n`
  }
  // A heading above all titles, such as "# Report", needs no text of its own.
  return parts.filter(
    ({ title, prose, section }, i) => prose.trim() !== '' || (title !== undefined && (section !== undefined || i > 1)),
  )
}

const isPlainHeading = (heading: string) => {
  const words = heading.split(/\s+/)
  return (
    words.length <= HEADING_WORDS_MAX &&
    words.every((word) => /^\p{L}+$/u.test(word) && isListedWord(word.toLowerCase()))
  )
}

/** "None of the frames has a clinic" gives a zero in words: claims.ts holds it to the figure. */
const saysNothing = ({ tokens, mentions }: SentenceView) =>
  tokens.some((token) => NEGATIONS.has(wordAt(token))) && mentions.some(({ isContainer }) => !isContainer)

const slotsIn = (prose: string): string[] => prose.match(SLOT) ?? []
const facetPlace = (slot: string) => Number(slot.slice(2, -1)) - 1
const isValueSlot = (slot: string) => slot.startsWith('{F')
const quotedText = (slot: string, facets: readonly LabelledValue[]) =>
  facets[facetPlace(slot)]?.[isValueSlot(slot) ? 'value' : 'label']

function partFaults({ title, prose, section, views }: PartView, context: WordContext): string[] {
  const { facets } = context
  const slots = slotsIn(prose)
  const unknown = slots.filter((slot) => quotedText(slot, facets) === undefined)
  const strayed = slots.filter((slot) => section && !section.facets.includes(facetPlace(slot)))
  const unquotable = slots.filter((slot) => !isQuotable(quotedText(slot, facets) ?? 'none'))
  // The model may type no brace, so {} stands for a slot and for nothing else.
  const masked = prose.replace(ANY_SLOT, '{}')
  if (views.some(({ tokens }) => tokens.length > SENTENCE_TOKENS_MAX)) return ['A sentence is too long.']
  return [
    ...(title !== undefined && prose.trim() === '' ? ['A section has a title and no text.'] : []),
    ...unknown.map((slot) => `There is no slot ${slot}.`),
    ...strayed.map((slot) => `${slot} is not of the section that it is used in.`),
    ...unquotable.map((slot) => `What ${slot} stands for cannot be quoted: leave it out.`),
    ...proseFaults(masked, prose.split(ANY_SLOT)),
    ...gluedFaults(masked),
    ...views.flatMap((view) => [
      ...view.slots.flatMap((slot) => [...neighbourFaults(view, slot), ...agreementFaults(view, slot, context)]),
      ...claimFaults(view, context),
    ]),
  ]
}

function viewsOf(prose: string, { facets, families }: WordContext): SentenceView[] {
  const views = proseSentences(prose).map((sentence) => viewOf(sentence, facets, families))
  const given = views.map(({ slots }) => slots.flatMap(({ facet }) => (facet.number === 0 ? [] : [facet.family])))
  return views.map((view, i) => ({
    ...view,
    lastFacet: views[i - 1]?.slots.at(-1)?.facet,
    topicWords: views[i - 1]?.slots.length === 0 ? (views[i - 1]?.tokens ?? []).map(wordAt) : [],
    givenAround: new Set([...(given[i - 1] ?? []), ...(given[i + 1] ?? [])]),
  }))
}

const BEFORE_SLOT = /(?:^|[\s("'“‘])$/u
const AFTER_SLOT = /^(?:$|[\s)"'”’!?]|[,.;:…](?:$|[\s)"'”’])|—\p{L})/u

/** A sign or a letter right against a slot would change its value, and so would another slot. */
function gluedFaults(masked: string): string[] {
  const pieces = masked.split('{}')
  const glued = pieces.some(
    (piece, i) => (i < pieces.length - 1 && !BEFORE_SLOT.test(piece)) || (i > 0 && !AFTER_SLOT.test(piece)),
  )
  return [
    ...(glued ? ['Something is written right against a slot: leave a space, and put words between slots.'] : []),
    ...(/\{\}\s*\{\}/.test(masked) ? ['There are no words between a slot and the next.'] : []),
    ...(/[-–+]\s+\{\}/.test(masked.replace(/^\s*- /gm, ''))
      ? ['A sign before a slot changes its value: say the value as it is.']
      : []),
  ]
}

function filledPart({ title, prose, views }: PartView, context: WordContext): string {
  const text = filledProse({ prose, views }, context)
  return title === undefined ? text : `## ${title}\n${text}`.trim()
}

function filledProse({ prose, views }: Pick<PartView, 'prose' | 'views'>, context: WordContext): string {
  let filled = ''
  let last = 0
  for (const view of views) {
    view.tokens.forEach((token, i) => {
      if (token.kind !== 'slot') return
      const slot = isSlot(token, 'F') ? view.slots.find(({ at }) => at === i) : undefined
      const { text, until } = slot
        ? slotText(view, slot)
        : {
            text:
              token.name === 'I' ? (context.frameIds[token.place] ?? '') : (context.facets[token.place]?.label ?? ''),
            until: i + 1,
          }
      filled += prose.slice(last, token.at) + text
      last = view.tokens[until - 1]?.end ?? token.end
    })
  }
  return (filled + prose.slice(last)).trim()
}
