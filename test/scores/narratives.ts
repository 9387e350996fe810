/** Plays narratives through the service: each is a template that a played model writes about the service's own figures. */
import assert from 'node:assert/strict'
import type { LabelledValue } from '../../src/insight/verify.js'
import type { AskInsight, AskWords, InsightBody } from './asked.js'

type Narrative = { scenario: string; template: string; family?: string; format?: { format: 'plain' | 'report' } }
/** The frames are those of a set of questions.json, or these ids. */
type Scenario = { set?: string; ids?: string[]; question?: string; format?: 'report' }
export type NarrativeCorpus = { wrong: Narrative[]; faithful: Narrative[]; scenarios?: Record<string, Scenario> }

/** Puts the slots of facets in place of their labels: "{=Label}" is the value of a facet, "{=L:Label}" its label. */
const withSlots = (template: string, scenario: string, facets: readonly LabelledValue[]) =>
  template.replace(/\{=(L:)?([^}]*)\}/g, (_, isLabel: string | undefined, label: string) => {
    const place = facets.findIndex((facet) => facet.label === label)
    assert.ok(place >= 0, `${scenario} has no facet ${label}`)
    return `{${isLabel ? 'L' : 'F'}${place + 1}}`
  })

/** A wrong narrative passes with whichever text. A faithful one counts as refused where its first text is. */
export async function passedAndRefused(
  { wrong, faithful, scenarios = {} }: NarrativeCorpus,
  { words, insight }: { words: AskWords; insight: AskInsight },
  sets: Readonly<Record<string, readonly string[]>>,
): Promise<{ passed: string[]; refused: string[] }> {
  const facetsOf = new Map<string, LabelledValue[]>()
  const returned = async ({ scenario, template, format }: Narrative) => {
    const { set = '', ids, question, format: usual } = scenarios[scenario] ?? assert.fail(`no scenario ${scenario}`)
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
  const passed: string[] = []
  const refused: string[] = []
  for (const narrative of wrong) {
    const { text } = await returned(narrative)
    if (text !== undefined) passed.push(`${narrative.family}: ${text}`)
  }
  for (const narrative of faithful) {
    const { text, isFirst } = await returned(narrative)
    if (text === undefined || !isFirst) refused.push(narrative.template)
  }
  return { passed, refused }
}
