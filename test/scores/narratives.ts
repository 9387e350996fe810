/**
 * Plays narratives through the check of words. Each is a template about the figures of an answer: of a saved one, or of
 * the service's own answer where the corpus has scenarios that are not saved.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/db/statement.js'
import { narrator } from '../../src/insight/narrate.js'
import type { Section } from '../../src/insight/prompt.js'
import { unaccountedNumbers, type LabelledValue } from '../../src/insight/verify.js'
import type { AskInsight, AskWords, InsightBody } from './asked.js'

type Scenario = {
  question?: string
  headline: string
  frameIds: string[]
  facets: LabelledValue[]
  sections: Section[]
}
type Narrative = { scenario: string; template: string; family?: string; format?: { format: 'plain' | 'report' } }
export type NarrativeCorpus = { wrong: Narrative[]; faithful: Narrative[] }
/** The frames are those of a set of questions.json, or these ids. */
type AskedScenario = { set?: string; ids?: string[]; question?: string; format?: 'report' }
type FrameSets = Readonly<Record<string, readonly string[]>>
/** Without scenarios, the narratives are about the saved answers. */
export type AskedCorpus = NarrativeCorpus & { scenarios?: Record<string, AskedScenario> }

export const parsed = (path: string | URL) => JSON.parse(readFileSync(path, 'utf8')) as unknown
export const own = new URL('test/insight/narratives/', projectFolder)
const scenarios = parsed(new URL('facts.json', own)) as Record<string, Scenario>

/** Puts the slots of facets in place of their labels. */
const withSlots = (template: string, scenario: string, facets: readonly LabelledValue[]) =>
  template.replace(/\{=(L:)?([^}]*)\}/g, (_, isLabel: string | undefined, label: string) => {
    const place = facets.findIndex((facet) => facet.label === label)
    assert.ok(place >= 0, `${scenario} has no facet ${label}`)
    return `{${isLabel ? 'L' : 'F'}${place + 1}}`
  })

/** Returns the narrative, or undefined where it is refused. */
export async function returnedText({ scenario, template, format }: Narrative): Promise<string | undefined> {
  const { question, headline, frameIds, facets, sections } = scenarios[scenario] ?? assert.fail(scenario)
  const text = withSlots(template, scenario, facets)
  const facts = { headline, facets, frames: frameIds.length, frameIds }
  const ask = () => Promise.resolve({ text, model: 'm' })
  const input = { question, format: format?.format ?? ('plain' as const), facts, sections }
  const narration = await narrator(ask, unaccountedNumbers)(input)
  return 'narrative' in narration ? narration.narrative : undefined
}

/** Returns the text that a caller gets, and whether it is the model's first. A refused narrative has none. */
type ReturnText = (narrative: Narrative) => Promise<{ text: string | undefined; isFirst: boolean }>

const returnedOfSaved: ReturnText = async (narrative) => ({ text: await returnedText(narrative), isFirst: true })

/** Returns whether facts.json has the figures of all these scenarios. */
export const areSaved = (asked: Record<string, AskedScenario>, sets: FrameSets): boolean =>
  Object.entries(asked).every(([name, { set = '', ids, question }]) => {
    const saved = scenarios[name]
    return saved?.question === question && saved?.frameIds.join() === (ids ?? sets[set])?.join()
  })

/** Asks the service for the figures of the corpus's own scenarios, then for words about them. */
export function returnedBy(
  { words, insight }: { words: AskWords; insight: AskInsight },
  asked: Record<string, AskedScenario>,
  sets: FrameSets,
): ReturnText {
  const facetsOf = new Map<string, LabelledValue[]>()
  return async ({ scenario, template, format }) => {
    const { set = '', ids, question, format: usual } = asked[scenario] ?? assert.fail(`no scenario ${scenario}`)
    const frameIds = ids ?? sets[set] ?? assert.fail(`${scenario} has no frames: there is no set ${set}`)
    const facets = facetsOf.get(scenario) ?? (await insight(frameIds, question)).facets
    facetsOf.set(scenario, facets)
    const isReport = (format?.format ?? usual) === 'report'
    const body: InsightBody = {
      frameIds,
      ...(question === undefined ? {} : { question }),
      ...(isReport ? { format: 'report' } : {}),
    }
    const { answer, attempts } = await words(body, withSlots(template, scenario, facets))
    assert.deepEqual(answer.facets, facets, `${scenario}: the figures differ from those of the same call without words`)
    assert.ok(attempts > 0, `${scenario}: the service asked for no words: ${answer.notice}`)
    return { text: answer.narrative, isFirst: attempts === 1 }
  }
}

/** A narrative passes with whichever text. A faithful one counts as refused where its first text is. */
export async function passedAndRefused(
  corpus: NarrativeCorpus,
  returned = returnedOfSaved,
): Promise<{ passed: string[]; refused: string[] }> {
  const passed: string[] = []
  const refused: string[] = []
  for (const narrative of corpus.wrong) {
    const { text } = await returned(narrative)
    if (text !== undefined) passed.push(`${narrative.family}: ${text}`)
  }
  for (const narrative of corpus.faithful) {
    const { text, isFirst } = await returned(narrative)
    if (text === undefined || !isFirst) refused.push(narrative.template)
  }
  return { passed, refused }
}
