/** The tool verify: are the numbers of a text figures of an answer? */
import { Ajv } from 'ajv'
import { invalid } from '../../core/errors.js'
import { factsOf, unaccountedNumbers, type ReturnedAnswer } from '../../core/insight/numbers/verify.js'
import { ANSWER_MAX, verify } from './descriptions.js'
import type { ToolAnswer } from './tool.js'

const validate = new Ajv().compile<{ text: string; answer: ReturnedAnswer }>(verify.inputSchema)

export function verifyText(given: unknown): ToolAnswer {
  if (!validate(given)) {
    const [fault] = validate.errors ?? []
    const place = fault?.instancePath.slice(1).replaceAll('/', ', ')
    throw invalid(`${place || 'verify'}: this ${fault?.message}; a text, and an answer as ask gives it, are accepted.`)
  }
  const { headline, facets } = given.answer
  const length = facets.reduce((sum, { label, value }) => sum + label.length + value.length, headline.length)
  if (length > ANSWER_MAX)
    throw invalid(
      `answer: its headline, labels and values have ${length} characters together; at most ${ANSWER_MAX} are accepted. Leave out facets that the text does not use.`,
    )
  const numbers = unaccountedNumbers(given.text, factsOf(given.answer))
  const faults = numbers.map(({ text, at, why }) => `"${text}" (character ${at + 1}): ${why}`)
  const ok = numbers.length === 0
  return {
    data: { ok, numbers },
    text: ok ? 'Every number is accounted for.' : `Not accounted for:\n${faults.join('\n')}`,
  }
}
