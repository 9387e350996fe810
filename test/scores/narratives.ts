/** Plays narratives through the check of words: templates about the figures of a saved answer. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/db/statement.js'
import { narrator } from '../../src/insight/narrate.js'
import type { Section } from '../../src/insight/prompt.js'
import { unaccountedNumbers, type LabelledValue } from '../../src/insight/verify.js'

type Scenario = {
  question?: string
  headline: string
  frameIds: string[]
  facets: LabelledValue[]
  sections: Section[]
}
type Narrative = { scenario: string; template: string; family?: string; format?: { format: 'plain' | 'report' } }
export type NarrativeCorpus = { wrong: Narrative[]; faithful: Narrative[] }

export const parsed = (path: string | URL) => JSON.parse(readFileSync(path, 'utf8')) as unknown
export const own = new URL('test/insight/narratives/', projectFolder)
const scenarios = parsed(new URL('facts.json', own)) as Record<string, Scenario>
/** Returns the narrative, or undefined where it is refused. */
export async function returnedText({ scenario, template, format }: Narrative): Promise<string | undefined> {
  const { question, headline, frameIds, facets, sections } = scenarios[scenario] ?? assert.fail(scenario)
  const text = template.replace(/\{=(L:)?([^}]*)\}/g, (_, isLabel: string | undefined, label: string) => {
    const place = facets.findIndex((facet) => facet.label === label)
    assert.ok(place >= 0, `${scenario} has no facet ${label}`)
    return `{${isLabel ? 'L' : 'F'}${place + 1}}`
  })
  const facts = { headline, facets, frames: frameIds.length, frameIds }
  const ask = () => Promise.resolve({ text, model: 'm' })
  const input = { question, format: format?.format ?? ('plain' as const), facts, sections }
  const narration = await narrator(ask, unaccountedNumbers)(input)
  return 'narrative' in narration ? narration.narrative : undefined
}

export async function passedAndRefused(corpus: NarrativeCorpus): Promise<{ passed: string[]; refused: string[] }> {
  const passed: string[] = []
  const refused: string[] = []
  for (const narrative of corpus.wrong) {
    const text = await returnedText(narrative)
    if (text !== undefined) passed.push(`${narrative.family}: ${text}`)
  }
  for (const narrative of corpus.faithful) {
    if ((await returnedText(narrative)) === undefined) refused.push(narrative.template)
  }
  return { passed, refused }
}
