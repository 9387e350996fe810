/**
 * The tag `html` writes markup, and escapes every value that is not markup itself. Its values have types, so that an
 * object or a promise cannot slip into a page: the tag of hono/html takes anything, and may answer with a promise.
 */

const MARKUP = Symbol('markup')

/** Only the tag makes it: no row and no form field can have this symbol as a key. */
export type Html = { readonly [MARKUP]: string }

/** `undefined`, `null` and `false` leave nothing, so that a part of a page may be absent. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/** A value inside a tag must stand in double quotes: a test looks for those that do not. */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = texts[0] ?? ''
  values.forEach((value, i) => {
    const shown = typeof value === 'string' && value.length > WORD_MOST && isCutAfter(markup) ? cut(value) : value
    markup += markupOf(shown) + (texts[i + 1] ?? '')
  })
  return { [MARKUP]: markup }
}

/**
 * A name of thousands of letters would fill screens, and one without a blank would widen the page: the data has all.
 */
const TEXT_MOST = 500
const WORD_MOST = 60

const cutAt = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`

const cut = (text: string): string =>
  cutAt(
    text.replace(/\S+/g, (word) => cutAt(word, WORD_MOST)),
    TEXT_MOST,
  )

/** Values inside a tag stay whole, as do the texts of these elements: sentences, code and what a person typed. */
const WHOLE = /^<(?:(?:p|pre|code|textarea)(?:\s[^<>]*)?|span class="code-\w+")>$/

function isCutAfter(markup: string): boolean {
  const at = markup.lastIndexOf('<')
  if (at === -1) return !/="[^"]*$/.test(markup)
  const last = markup.slice(at)
  return last.includes('>') && !WHOLE.test(last.trimEnd())
}

export const markupText = (page: Html): string => page[MARKUP]

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number') return String(value)
  return isList(value) ? value.map(markupOf).join('') : value[MARKUP]
}

const isList = (value: HtmlValue): value is readonly HtmlValue[] => Array.isArray(value)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
