/**
 * Gets a narrative of figures: code writes the sentences, and the model chooses among them by their numbers. The check
 * of numbers reads the finished text once more. One deadline covers all of it.
 */
import { abortAfter, untilAborted } from '../deadline.js'
import { choiceIn, plainTitle, promptFor, type Section } from './prompt.js'
import { composed, numbered, textOf, type Paragraph } from './sentences/compose.js'
import { isQuotable, menuOf, type Menu, type MenuInput } from './sentences/menu.js'
import type { CheckNumbers } from './numbers/verify.js'
import { loggableReason } from './wording/wording-fault.js'
import type { AskModel } from './wording/wording.js'

/** A report has sections, a plain text has none. */
export type NarrativeInput = MenuInput & { question: string | undefined; format: 'plain' | 'report' }
export type Narrative = { narrative: string; paragraphs: readonly Paragraph[]; model: string }
export type Narration = Narrative | { failed: 'unavailable' | 'unverified'; reason: string }
/** `hangUp` aborts when the client hangs up. */
export type Narrate = (input: NarrativeInput, hangUp?: AbortSignal) => Promise<Narration>

const NARRATIVE_MAX_MS = 20_000
const TITLE_MAX = 100
const OTHER_TITLE = 'Other figures'

type NarratorOptions = {
  deadlineMs?: number
  /** Runs for each answer of the model that is refused. */
  onRejected?: () => void
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
      const written = writtenMenu(input, refusingOnError(checkNumbers))
      if (!written) return { failed: 'unverified', reason: 'there is no figure to put into words' }
      const { text, model } = await untilAborted(askModel(written.prompt, signal), signal)
      const told = written.narrativeOf(text)
      if ('narrative' in told) return { ...told, model }
      onRejected()
      return { failed: 'unverified', reason: told.refused }
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

function writtenMenu(input: NarrativeInput, check: CheckNumbers) {
  const { facts, question, format } = input
  const menu = menuOf(input, check)
  const sentences = numbered(menu)
  if (sentences.length === 0) return undefined
  const titled = format === 'report' ? sectionsOf(menu, (title) => check(title, facts).length === 0) : undefined
  const sections = titled && titled.length > 0 ? titled : undefined
  const asked = { question, headline: facts.headline, menu: sentences, lead: menu.lead.length, sections }
  const narrativeOf = (answer: string): Omit<Narrative, 'model'> | { refused: string } => {
    const choice = choiceIn(answer, asked)
    if (!choice) return { refused: 'it chose no sentences of the menu' }
    const paragraphs = composed(menu, choice)
    const narrative = textOf(paragraphs)
    if (narrative === '') return { refused: 'it chose no sentence' }
    const faults = check(narrative, facts)
    return faults.length > 0 ? { refused: `${faults.length} numbers are no figures` } : { narrative, paragraphs }
  }
  return { prompt: promptFor(asked), narrativeOf }
}

/** The sections of a report are the categories of its sentences. Each of them has a sentence that is not in the lead. */
function sectionsOf({ lead, others }: Menu, isSound: (title: string) => boolean): Section[] {
  const sections = new Map<string, number[]>()
  for (const [i, { category }] of others.entries()) {
    const plain = plainTitle(category)
    const title = isQuotable(plain) && plain.length <= TITLE_MAX && isSound(plain) ? plain : OTHER_TITLE
    sections.set(title, [...(sections.get(title) ?? []), lead.length + i + 1])
  }
  return [...sections].map(([title, numbers]) => ({ title, numbers }))
}
