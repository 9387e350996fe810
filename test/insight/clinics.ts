/** Gives the tests of prompts and templates a small answer about clinics. */
import type { NarrativeInput } from '../../src/insight/prompt.js'

export const facets = [
  { label: 'Clinics', value: '12' },
  { label: 'Population, total', value: '1,234 people' },
  { label: 'Population, highest', value: '800 people in frame 35640905' },
  { label: 'Ward', value: 'GRA 2' },
]

export const inputOf = (changes: Partial<NarrativeInput> = {}): NarrativeInput => ({
  question: 'How many clinics are there?',
  format: 'plain',
  facts: { headline: '12 clinics', facets, frames: 4, frameIds: ['35640905'] },
  ...changes,
})
