/**
 * Gets a narrative of figures from the model. The template passes slots.ts, the finished text passes the checker of
 * numbers, and the model may repair its text once. One deadline covers all of it.
 */
import { abortAfter, untilAborted } from '../deadline.js'
import { needsLabelSlot, promptFor, promptTitle, type NarrativeInput, type Section } from './prompt.js'
import { isQuotable } from './prose.js'
import { fillSlots } from './slots.js'
import type { CheckNumbers } from './verify.js'
import { loggableReason } from './wording-fault.js'
import type { AskModel, ModelAnswer, Prompt } from './wording.js'

export type Narration = { narrative: string; model: string } | { failed: 'unavailable' | 'unverified'; reason: string }
/** `hangUp` aborts when the client hangs up. */
export type Narrate = (input: NarrativeInput, hangUp?: AbortSignal) => Promise<Narration>

const NARRATIVE_MAX_MS = 20_000
const TITLE_MAX = 100
const REPAIR = 'Write it again without these faults, by the same rules. Only the text.'
const OTHER_TITLE = 'Other figures'

type NarratorOptions = {
  deadlineMs?: number
  /** Runs for each text of the model that is refused. */
  onRejected?: (attempt: 'first' | 'repair') => void
}

export function narrator(
  askModel: AskModel,
  checkNumbers: CheckNumbers,
  { deadlineMs = NARRATIVE_MAX_MS, onRejected = () => {} }: NarratorOptions = {},
): Narrate {
  return async (input, hangUp) => {
    const { signal, release } = abortAfter(deadlineMs, hangUp)
    try {
      if (hangUp?.aborted) throw new Error('the client hung up')
      const ask = (prompt: Prompt) => untilAborted(askModel(prompt, signal), signal)
      return await narrativeOf(input, { ask, check: refusingOnError(checkNumbers), onRejected })
    } catch (error) {
      return {
        failed: 'unavailable',
        reason: hangUp?.aborted ? 'the client hung up' : signal.aborted ? 'no answer in time' : loggableReason(error),
      }
    } finally {
      release()
    }
  }
}

/** A text that the checker cannot read is refused. */
function refusingOnError(check: CheckNumbers): CheckNumbers {
  return (narrative, facts) => {
    try {
      return check(narrative, facts)
    } catch {
      return [{ text: '', at: 0, why: 'it could not be checked' }]
    }
  }
}

type Narrator = {
  ask: (prompt: Prompt) => Promise<ModelAnswer>
  check: CheckNumbers
  onRejected: (attempt: 'first' | 'repair') => void
}

async function narrativeOf(given: NarrativeInput, { ask, check, onRejected }: Narrator): Promise<Narration> {
  if (given.facts.facets.length === 0) return { failed: 'unverified', reason: 'there are no facets to put into words' }
  const input = { ...given, sections: soundSections(given, check) }
  const prompt = promptFor(input, labelSlots(given, check))
  const first = await ask(prompt)
  const result = verifiedText(first.text, input, check)
  if ('text' in result) return { narrative: result.text, model: first.model }
  onRejected('first')
  try {
    const second = await ask({ ...prompt, repair: { answer: first.text, faults: repairMessage(result.faults) } })
    const repaired = verifiedText(second.text, input, check)
    if ('text' in repaired) return { narrative: repaired.text, model: second.model }
    onRejected('repair')
    return {
      failed: 'unverified',
      reason: `refused twice, ${result.faults.length} faults and then ${repaired.faults.length}`,
    }
  } catch (error) {
    return {
      failed: 'unverified',
      reason: `refused for ${result.faults.length} faults; its repair: ${loggableReason(error)}`,
    }
  }
}

function verifiedText(
  template: string,
  input: NarrativeInput,
  check: CheckNumbers,
): { text: string } | { faults: string[] } {
  const result = fillSlots(template, input)
  if ('faults' in result) return result
  const faults = check(result.text, input.facts).map(
    ({ text, why }) => `"${text.slice(0, 40)}" is refused: ${why.slice(0, 100)}`,
  )
  return faults.length > 0 ? { faults: faults.slice(0, 10) } : result
}

const repairMessage = (faults: readonly string[]) =>
  ['That text was refused:', ...faults.map((fault) => `- ${fault}`), REPAIR].join('\n')

/** "Population, 2025 estimate" needs its number: its label gets a slot, if the checker passes that number. */
const labelSlots = ({ facts }: NarrativeInput, check: CheckNumbers): number[] =>
  [...facts.facets.entries()]
    .filter(([, { label }]) => needsLabelSlot(label) && check(label, facts).length === 0)
    .map(([place]) => place)

/** Gives a section a plain title where its own holds a number that is no figure: the checker reads titles too. */
function soundSections({ format, facts, sections = [] }: NarrativeInput, check: CheckNumbers): Section[] {
  if (format !== 'report') return []
  const filled = sections
    .map(({ title, facets }) => ({ title: promptTitle(title), facets: facets.filter((place) => facts.facets[place]) }))
    .filter(({ facets }) => facets.length > 0)
  const isSound = ({ title }: Section) =>
    isQuotable(title) && title.length <= TITLE_MAX && check(title, facts).length === 0
  const facetsByTitle = new Map<string, number[]>()
  for (const section of filled) {
    const title = isSound(section) ? section.title : OTHER_TITLE
    facetsByTitle.set(title, [...(facetsByTitle.get(title) ?? []), ...section.facets])
  }
  return [...facetsByTitle].map(([title, facets]) => ({ title, facets }))
}
