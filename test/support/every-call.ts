/**
 * The calls of tests that must miss none. They are the examples of openapi.yaml, with the units that an example names left
 * out one by one from the smallest on: each level of units has a statement of its own. A new call is here by its examples.
 */
import { examplesOf, operations, queryParameters, wrongCallsOf, type Operation } from './description.js'

/** `call` is as test/calls/call-rows.ts sends it. */
type Call = { call: string; path: string; method: string; needs: string }

function urlsOf(path: string, operation: Operation): string[] {
  const parameters = queryParameters(operation)
  const names = [...new Set(parameters.flatMap(({ examples = {} }) => Object.keys(examples)))]
  const urls = names.flatMap((example) => {
    const urlOf = (asked: typeof parameters) => {
      const sent = asked.map(({ name, examples }) => [name, String(examples?.[example]?.value)] as const)
      return sent.length === 0
        ? path
        : `${path}?${sent.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
    }
    let asked = parameters.filter(({ examples }) => examples?.[example])
    const found = [urlOf(asked)]
    for (const unit of ['ward', 'lga', 'state']) {
      const without = asked.filter(({ name, required }) => required || name !== unit)
      // A limit alone chooses no frames.
      if (without.length > 0 && without.every(({ name }) => name !== 'state')) break
      if (without.length < asked.length) found.push(urlOf(without))
      asked = without
    }
    return found
  })
  return names.length === 0 ? [path] : [...new Set(urls)]
}

const withKey = operations.flatMap((described) => {
  const needs = described.operation['x-capability']
  return needs === undefined ? [] : [{ ...described, needs }]
})

/** Each call that needs a key, right in every way that its examples show. */
export const everyCall: readonly Call[] = withKey.flatMap(({ path, method, operation, needs }) => {
  const bodies = examplesOf(operation.requestBody?.content).map(([, { value }]) => ` ${JSON.stringify(value)}`)
  return urlsOf(path, operation)
    .flatMap((url) => (bodies.length === 0 ? [url] : bodies.map((body) => url + body)))
    .map((sent) => ({ call: `${method} ${sent}`, path, method, needs }))
})

/** The same calls with the mistakes that the description shows. */
export const everyMistake: readonly Call[] = withKey.flatMap(({ path, method, operation, needs }) =>
  wrongCallsOf(operation).map(({ call }) => ({ call, path, method, needs })),
)

export const everyRead: readonly string[] = everyCall
  .filter(({ method }) => method === 'GET')
  .map(({ call }) => call.slice('GET '.length))

export const everyQuestion: readonly string[] = [
  'how many people and schools are there',
  'which frames have more than 100 people?',
  'how many people live in urban frames?',
  'rank these frames by population',
  'median population',
  'population growth from 2025 to 2026',
  'names of the schools',
  'how many pupils go to school here',
  'frames with a secondary school',
  'length of main roads',
  'which ward has the most people',
  'what share of the people live in frames with a school',
  'share of people with a school by ward',
  'buildings per 1,000 people by ward',
]
