/** A few words for writing JSON Schema: objects hold what is named and nothing else. */

export type Schema = Readonly<Record<string, unknown>>
export type Members = Readonly<Record<string, Schema>>

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
export const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more })
export const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more })
export const oneOf = (words: Readonly<Record<string, string>>, description: string): Schema =>
  text(`${description}: ${listed(words)}.`, { enum: Object.keys(words) })

export const object = (description: string, required: Members, optional: Members = {}): Schema => ({
  type: 'object',
  description,
  additionalProperties: false,
  required: Object.keys(required),
  properties: { ...required, ...optional },
})

const listed = (words: Readonly<Record<string, string>>) =>
  Object.entries(words)
    .map(([word, meaning]) => `\`${word}\`, ${meaning}`)
    .join('; ')
