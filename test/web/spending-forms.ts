/** Reads the forms of the page Ask that spend credits or words. */
import assert from 'node:assert/strict'

export type Form = Record<string, string>

/** The fields of the form whose button has that text. */
export function formOf(page: string, button: RegExp): Form | undefined {
  const form = Array.from(page.matchAll(/<form class="inline spend"[\s\S]*?<\/form>/g), ([text]) => text).find((text) =>
    button.test(/<button>([^<]*)<\/button>/.exec(text)?.[1] ?? ''),
  )
  if (form === undefined) return undefined
  return Object.fromEntries(
    Array.from(form.matchAll(/name="(\w+)" value="([^"]*)"/g), ([, name = '', value = '']) => [name, value]),
  )
}
export const READ = /^Read for 2 credits$/
export const WORD = /^Put it into words$/
export const needed = (form: Form | undefined): Form => {
  assert.ok(form, 'the page has no such form')
  return form
}
