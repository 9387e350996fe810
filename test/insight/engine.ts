/** Plays a wording engine for tests: the real SDK asks it, and every narrative is about the same facts. */
import assert from 'node:assert/strict'
import { narrator, type Narration } from '../../src/core/insight/narrate.js'
import type { CheckNumbers } from '../../src/core/insight/verify/verify.js'
import { modelAsker } from '../../src/core/insight/wording/wording.js'
import { startWordingServer, type Failure, type WordingServer } from '../support/wording-server.js'
import { inputOf, madeFacets } from './made-figures.js'

export const KEY = 'sk-ant-secret-of-the-tests'
/** The deadline of an engine that is to fail by it. */
const SHORT_MS = 200
/** The deadline of an engine that is to answer, also on a busy machine. */
export const PATIENT_MS = 30_000
const waiting: readonly Failure[] = ['hang before headers', 'hang in body', 'trickle']
export const deadlineOf = (failure: Failure) => (waiting.includes(failure) ? SHORT_MS : PATIENT_MS)
const QUESTION = 'How many clinics are there?'

export const input = inputOf(madeFacets(), { question: QUESTION })

/** The check of numbers has tests of its own. Here it passes everything, so that only the check of choices refuses. */
export const passAll: CheckNumbers = () => []

/** Starts the server for the tests of one describe, and lets it answer well before each. */
export function playedEngine() {
  let server: WordingServer
  before(async () => (server = await startWordingServer()))
  after(() => server.close())
  beforeEach(() => {
    server.behave('well')
    server.requests.length = 0
  })
  const asker = (apiKey = KEY, deadlineMs = PATIENT_MS) =>
    modelAsker({ apiKey, baseUrl: server.url, model: 'claude-asked', deadlineMs })
  const narrate = (narrativeInput = input, check = passAll, deadlineMs = PATIENT_MS) =>
    narrator(asker(KEY, deadlineMs), check, { deadlineMs })(narrativeInput)
  return {
    get server() {
      return server
    },
    asker,
    narrate,
  }
}

export const narrativeOf = (narration: Narration) =>
  'narrative' in narration ? narration.narrative : assert.fail(`${narration.failed}: ${narration.reason}`)
export const failureOf = (narration: Narration) =>
  'failed' in narration ? narration : assert.fail(`passed: ${narration.narrative}`)

/** A reason goes to the log: it holds neither the key nor anything that people wrote or asked. */
export function assertDiscreet(text: string): void {
  for (const secret of [KEY, QUESTION, 'clinics', 'Cropland', '1,234'])
    assert.ok(!text.includes(secret), `${secret} in ${text}`)
}
