/** Fills the slots of a template, and refuses slots that do not exist or that stand in the wrong place. */
import { promptTitle, type Section } from './prompt.js'
import { isQuotable, proseFaults } from './prose.js'
import type { LabelledValue } from './verify.js'

const LENGTH_MAX = 6000
const FAULTS_MAX = 10
const SLOT = /\{[FL][1-9]\d{0,2}\}/g

/** Returns the narrative, or the faults of the template in sentences that the model can act on. */
export function fillSlots(
  template: string,
  facets: readonly LabelledValue[],
  sections: readonly Section[] = [],
): { text: string } | { faults: string[] } {
  const text = template.replace(/\r\n/g, '\n').trim()
  if (text === '') return { faults: ['The text is empty.'] }
  if (text.length > LENGTH_MAX) return { faults: ['The text is too long.'] }
  const parts = splitAtTitles(text, sections)
  const titles = parts.filter(({ title }) => title !== undefined)
  const inOrder =
    titles.length === sections.length && titles.every(({ title }, i) => title === promptTitle(sections[i]?.title ?? ''))
  const faults = [
    ...(inOrder ? [] : ['The titles are not those given, each on a line of its own, in their order.']),
    ...parts.flatMap((part) => partFaults(part, facets)),
  ]
  if (facets.length > 0 && !parts.some(({ prose }) => slotsIn(prose).some(isValueSlot)))
    faults.push('No figure is given by its slot.')
  if (faults.length > 0) return { faults: [...new Set(faults)].slice(0, FAULTS_MAX) }
  return { text: text.replace(SLOT, (slot) => slotText(slot, facets) ?? '') }
}

type Part = { title?: string; prose: string; section?: Section | undefined }

/** A line that is not exactly one of the titles stays prose, and proseFaults refuses its #. */
function splitAtTitles(text: string, sections: readonly Section[]): Part[] {
  const parts: Part[] = [{ prose: '' }]
  for (const line of text.split('\n')) {
    const title = line.startsWith('## ') ? line.slice(3).trim() : undefined
    const section = sections.find((each) => promptTitle(each.title) === title)
    if (section && title !== undefined) parts.push({ title, prose: '', section })
    else (parts.at(-1) ?? { prose: '' }).prose += `${line}\n`
  }
  return parts.filter(({ title, prose }) => title !== undefined || prose.trim() !== '')
}

const slotsIn = (prose: string): string[] => prose.match(SLOT) ?? []
const facetPlace = (slot: string) => Number(slot.slice(2, -1)) - 1
const isValueSlot = (slot: string) => slot.startsWith('{F')
const slotText = (slot: string, facets: readonly LabelledValue[]) =>
  facets[facetPlace(slot)]?.[isValueSlot(slot) ? 'value' : 'label']

function partFaults({ title, prose, section }: Part, facets: readonly LabelledValue[]): string[] {
  const slots = slotsIn(prose)
  const unknown = slots.filter((slot) => slotText(slot, facets) === undefined)
  const strayed = slots.filter((slot) => section && !section.facets.includes(facetPlace(slot)))
  const unquotable = slots.filter((slot) => !isQuotable(slotText(slot, facets) ?? 'none'))
  // The model may type no brace, so {} stands for a slot and for nothing else.
  const masked = prose.replace(SLOT, '{}')
  return [
    ...(title !== undefined && prose.trim() === '' ? ['A section has a title and no text.'] : []),
    ...unknown.map((slot) => `There is no slot ${slot}.`),
    ...strayed.map((slot) => `${slot} is not of the section that it is used in.`),
    ...unquotable.map((slot) => `What ${slot} stands for cannot be quoted: leave it out.`),
    ...proseFaults(masked, prose.split(SLOT)),
    ...neighbourFaults(masked),
    ...misplacedSlots(prose, facets),
  ]
}

const BEFORE_SLOT = /(?:^|[\s("'“‘])$/u
const AFTER_SLOT = /^(?:$|[\s)"'”’!?]|[,.;:…](?:$|[\s)"'”’])|—\p{L})/u
const QUALIFIER =
  'minus|negative|plus|point|nearly|almost|roughly|approximately|about|around|circa|at least|at most|up to|' +
  'less than|fewer than|more than'
const QUALIFIED = new RegExp(`(?:\\b(?:${QUALIFIER})|[-–+])\\s+\\{\\}`, 'i')
const SCALED = /\{\}\s+(?:percent|per\s+cent|percentage|pct|point|times|fold|k|m|mn|bn|tn)\b/i

/** A sign, a unit, another slot or a "more than" right beside a slot would change its value. */
function neighbourFaults(masked: string): string[] {
  const pieces = masked.split('{}')
  const glued = pieces.some(
    (piece, i) => (i < pieces.length - 1 && !BEFORE_SLOT.test(piece)) || (i > 0 && !AFTER_SLOT.test(piece)),
  )
  return [
    ...(glued ? ['Something is written right against a slot: leave a space, and put words between slots.'] : []),
    ...(/\{\}\s*\{\}/.test(masked) ? ['There are no words between a slot and the next.'] : []),
    ...(QUALIFIED.test(masked) ? ['A sign or a word before a slot changes its value: say the value as it is.'] : []),
    ...(SCALED.test(masked) ? ['A unit after a slot changes its value: the value has its own.'] : []),
  ]
}

/** A clause has the wrong slot if it names another facet in full and names less of the slot's own facet. */
function misplacedSlots(prose: string, facets: readonly LabelledValue[]): string[] {
  const names = facets.map(({ label }) => label.split(',').map(foldedWords))
  const partsNamed = (clause: string, place: number) =>
    names[place]?.filter((part) => part.trim() !== '' && clause.includes(part)).length ?? 0
  return prose.split(CLAUSE_END).flatMap((clause, i, clauses) => {
    const [slot, ...more] = slotsIn(clause).filter(isValueSlot)
    if (slot === undefined || more.length > 0) return []
    // "Clinics: {F1}" names its facet before the colon.
    const whole = clause.trim() === slot ? `${clauses[i - 1] ?? ''} ${clause}` : clause
    const spoken = foldedWords(
      whole.replace(SLOT, (each) => (isValueSlot(each) ? ' ' : ` ${slotText(each, facets) ?? ''} `)),
    )
    const own = partsNamed(spoken, facetPlace(slot))
    const other = facets.findIndex(({ label, value }, place) => {
      const named = partsNamed(spoken, place)
      const inFull = named > own && named === names[place]?.length
      return inFull && !PLACE_LABEL.test(label) && value !== facets[facetPlace(slot)]?.value
    })
    return other < 0 ? [] : [`${slot} stands where {F${other + 1}} is described: use the slot of what is described.`]
  })
}

/** Sentences name the place that they are about, whichever facet they give. */
const PLACE_LABEL = /^(?:frame|area|state|lga|ward|zone)s?$/i
const CLAUSE_END = /[.;:!?,\n](?=\s|$)|\b(?:and|while|but|with|whereas)\b/

/** Puts a space before and after each word, so that a search finds whole words only. */
const foldedWords = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `
