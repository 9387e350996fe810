/** A narrative of figures: asked for, checked twice, repaired once at most, in one deadline; or why there is none. */
import { filled, isQuotable, needsSlot, promptFor, shownTitle, type Section } from './slots.js'
import type { Figures, unaccountedNumbers } from './verify.js'
import { reasonOf, type AskModel, type Prompt } from './wording.js'

export type NarrativeInput = {
  question: string | undefined
  format: 'plain' | 'report'
  figures: Figures
  /** For a report: titles by category, with the places (from 0) of their facets. */
  sections?: readonly Section[]
  /** Places of the facets whose labels hold numbers that the checker accounts for; the narrator sees to it. */
  named?: readonly number[]
}
export type Narrated = { narrative: string; model: string } | { failed: 'unavailable' | 'unverified'; reason: string }

const DEADLINE_MS = 20_000
const TITLE_MAX = 100
const REPAIR = 'Write it again without these faults, by the same rules. Only the text.'
const OTHER_TITLE = 'Other figures'

type NarratorOptions = {
  deadlineMs?: number
  /** Told of each wording that could not be verified. */
  rejected?: (attempt: 'first' | 'repair') => void
}

export function narrator(
  ask: AskModel,
  check: typeof unaccountedNumbers,
  { deadlineMs = DEADLINE_MS, rejected = () => {} }: NarratorOptions = {},
): (input: NarrativeInput, gone?: AbortSignal) => Promise<Narrated> {
  return async (input, gone) => {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), deadlineMs)
    const signal = gone ? AbortSignal.any([deadline.signal, gone]) : deadline.signal
    try {
      if (gone?.aborted) throw new Error('the client hung up')
      return await narrated(inTime(ask, signal), guarded(check), input, rejected)
    } catch (error) {
      return {
        failed: 'unavailable',
        reason: gone?.aborted ? 'the client hung up' : deadline.signal.aborted ? 'no answer in time' : reasonOf(error),
      }
    } finally {
      clearTimeout(timer)
    }
  }
}

/** What cannot be checked is not accounted for. */
function guarded(check: typeof unaccountedNumbers): typeof unaccountedNumbers {
  return (narrative, figures) => {
    try {
      return check(narrative, figures)
    } catch {
      return [{ text: '', at: 0, why: 'it could not be checked' }]
    }
  }
}

type Ask = (prompt: Prompt) => ReturnType<AskModel>

/** Answers at the deadline, whatever becomes of the call. */
function inTime(ask: AskModel, signal: AbortSignal): Ask {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('late')), { once: true })
  })
  return (prompt) => Promise.race([ask(prompt, signal), late])
}

async function narrated(
  ask: Ask,
  check: typeof unaccountedNumbers,
  given: NarrativeInput,
  rejected: (attempt: 'first' | 'repair') => void,
): Promise<Narrated> {
  if (given.figures.facets.length === 0)
    return { failed: 'unverified', reason: 'there are no facets to put into words' }
  const input = { ...given, sections: sectionsOf(given, check), named: namedOf(given, check) }
  const prompt = promptFor(input)
  const first = await ask(prompt)
  const read = verified(first.text, input, check)
  if ('text' in read) return { narrative: read.text, model: first.model }
  rejected('first')
  try {
    const second = await ask({ ...prompt, repair: { answer: first.text, faults: repairOf(read.faults) } })
    const again = verified(second.text, input, check)
    if ('text' in again) return { narrative: again.text, model: second.model }
    rejected('repair')
    return {
      failed: 'unverified',
      reason: `refused twice, ${read.faults.length} faults and then ${again.faults.length}`,
    }
  } catch (error) {
    return { failed: 'unverified', reason: `refused for ${read.faults.length} faults; its repair: ${reasonOf(error)}` }
  }
}

/** The slots first, then the checker on the text as a person reads it. */
function verified(
  template: string,
  { figures, sections }: NarrativeInput,
  check: typeof unaccountedNumbers,
): { text: string } | { faults: string[] } {
  const result = filled(template, figures.facets, sections)
  if ('faults' in result) return result
  const faults = check(result.text, figures).map(
    ({ text, why }) => `"${text.slice(0, 40)}" is refused: ${why.slice(0, 100)}`,
  )
  return faults.length > 0 ? { faults: faults.slice(0, 10) } : result
}

const repairOf = (faults: readonly string[]) =>
  ['That text was refused:', ...faults.map((fault) => `- ${fault}`), REPAIR].join('\n')

/** "Population, 2025 estimate" is not the same without its number: it has a slot, if the checker lets it pass. */
const namedOf = ({ figures }: NarrativeInput, check: typeof unaccountedNumbers): number[] =>
  [...figures.facets.entries()]
    .filter(([, { label }]) => needsSlot(label) && check(label, figures).length === 0)
    .map(([place]) => place)

/**
 * Every number in a narrative must be among its figures, those in a title too: facets under a title that no figure
 * vouches for go under a plain one.
 */
function sectionsOf({ format, figures, sections = [] }: NarrativeInput, check: typeof unaccountedNumbers): Section[] {
  if (format !== 'report') return []
  const known = sections
    .map(({ title, facets }) => ({ title: shownTitle(title), facets: facets.filter((place) => figures.facets[place]) }))
    .filter(({ facets }) => facets.length > 0)
  const isSound = ({ title }: Section) =>
    isQuotable(title) && title.length <= TITLE_MAX && check(title, figures).length === 0
  const byTitle = new Map<string, number[]>()
  for (const section of known) {
    const title = isSound(section) ? section.title : OTHER_TITLE
    byTitle.set(title, [...(byTitle.get(title) ?? []), ...section.facets])
  }
  return [...byTitle].map(([title, facets]) => ({ title, facets }))
}
