/** Reads figures, tables, forms and facts out of pages. */
import assert from 'node:assert/strict'

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
export const unescaped = (markup: string): string =>
  markup.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '')

const plainText = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The figures at the top of a page by their titles. */
export function figuresOf(page: string): Record<string, string> {
  const figures = page.matchAll(
    /<div class="figure">\s*<span class="quiet">([^<]+)<\/span>\s*<span class="number">([^<]+)<\/span>/g,
  )
  return Object.fromEntries(Array.from(figures, ([, title = '', value = '']) => [title, value]))
}

/** The tables of a page by their captions: the cells of each row. */
const tablesOf = (page: string): [caption: string, rows: string[][]][] =>
  Array.from(page.matchAll(/<table[^>]*>[\s\S]*?<\/table>/g), ([table]) => [
    plainText(/<caption>([\s\S]*?)<\/caption>/.exec(table)?.[1] ?? ''),
    Array.from(table.matchAll(/<tr>([\s\S]*?)<\/tr>/g), ([, row = '']) =>
      Array.from(row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g), ([, cell = '']) => plainText(cell)),
    ).filter((cells) => cells.length > 0),
  ])

/** The cells of each row of the table with that caption. */
export function cellsOf(page: string, caption: string): string[][] {
  const [, rows] = tablesOf(page).find(([title]) => title === caption) ?? []
  if (rows === undefined) throw new Error(`No table is named "${caption}".`)
  return rows
}

/** The fields of the form for a new key as its page has them, with the first dataset ticked. */
export const keyFields = (page: string, over: Record<string, string | readonly string[]> = {}) => ({
  key: /name="key" value="(key_\w{12})"/.exec(page)?.[1] ?? '',
  name: 'Ada, notebook',
  preset: 'analyst',
  reach: 'all',
  days: '30',
  until: '',
  ...over,
})

export type Form = Record<string, string>
export const READ = /^Read for 2 credits$/
export const WORD = /^Put it into words$/

/** The fields of the form that spends credits or words by that button. */
export function formOf(page: string, button: RegExp): Form | undefined {
  const form = Array.from(page.matchAll(/<form class="row spend"[\s\S]*?<\/form>/g), ([text]) => text).find((text) =>
    button.test(/<button>([^<]*)<\/button>/.exec(text)?.[1] ?? ''),
  )
  if (form === undefined) return undefined
  return Object.fromEntries(
    Array.from(form.matchAll(/name="(\w+)" value="([^"]*)"/g), ([, name = '', value = '']) => [name, value]),
  )
}
export const needed = (form: Form | undefined): Form => {
  assert.ok(form, 'the page has no such form')
  return form
}

/** The sentence that an answer begins with. */
export const leadOf = (page: string): string => unescaped(/<p class="[^"]*headline">([^<]*)<\/p>/.exec(page)?.[1] ?? '')

/** The shapes that an answer lights on the map. */
export const litOf = (page: string): { type: string; coordinates: unknown }[] =>
  JSON.parse(unescaped(/data-lit="([^"]*)"/.exec(page)?.[1] ?? '[]')) as { type: string; coordinates: unknown }[]

const all = (page: string, pattern: RegExp): string[] => Array.from(page.matchAll(pattern), ([, text = '']) => text)

/** The bounds of the classes of each level, by which the map is painted. */
function boundsOf(paint: string): string {
  const { levels = {} } = JSON.parse(unescaped(paint)) as { levels?: Record<string, { bounds?: number[] }> }
  return Object.entries(levels)
    .map(([level, { bounds = [] }]) => `${level} ${bounds.join(' ')}`)
    .join(', ')
}

/** What is read out of a page by name: the panel, the answer, the legend, and what is marked. */
const FACTS: Record<string, (page: string) => string> = {
  panel: (page) => /<h2 id="panel-title"[^>]*>([^<]*)</.exec(page)?.[1] ?? '',
  lead: leadOf,
  lit: (page) => String(litOf(page).length),
  /** The value that the map is coloured by: its label, itself, and its rank. */
  chosen: (page) =>
    all(/<div class="chosen-value">[\s\S]*?<\/div>/.exec(page)?.[0] ?? '', /<p class="[^"]+">\s*([^<]*?)\s*<\/p>/g)
      .join('; ')
      .replaceAll('\u00a0', ' '),
  selected: (page) => all(page, /<option value="([^"]*)" selected>/g).join('; '),
  levels: (page) => all(page, /<div class="classes" data-level="(\w+)"(?!\s*hidden)/g).join('; '),
  classes: (page) => all(page, /<svg class="(?:change|ramp)-\w+"[\s\S]*?<(?:span|a [^>]*)>([^<]*)</g).join('; '),
  bounds: (page) =>
    all(page, /data-paint="([^"]*)"/g)
      .map(boundsOf)
      .join('; '),
  /** Each mark of features: its dataset, kind, path and dashes. */
  marks: (page) =>
    all(page, /<li data-dataset=("lyr_\w+" data-kind="\w+" data-path="[^"]+" data-dash="[^"]*")/g)
      .join('; ')
      .replace(/ data-\w+=|"/g, ' ')
      .replace(/ +/g, ' '),
  legends: (page) => all(page, /<section id="legend[^>]*\sdata-attribute="(\w+)"/g).join('; '),
  listed: (page) => all(/<ul class="results">[\s\S]*?<\/ul>/.exec(page)?.[0] ?? '', /<a [^>]*>([^<]*)</g).join('; '),
}
export const factsOf = (page: string): string[] => [
  ...Object.entries(FACTS).map(([name, read]) => `${name}: ${unescaped(read(page.replace(/\s+/g, ' '))).trim()}`),
  ...tablesOf(page).map(([caption, rows]) => unescaped(`${caption}: ${rows.map((row) => row.join('; ')).join(' | ')}`)),
]

/** The title of the panel beside the map. */
export const panelTitle = (page: string): string => unescaped(FACTS['panel']?.(page) ?? '')

/** The markup of a page: blanks are one, and quotes in tags are single. */
export const markupOf = (page: string): string => page.replace(/\s+/g, ' ').replaceAll('"', "'")

/** The fact of a page that has the name of the given one, or undefined for a text that is no fact: "panel: ?". */
export const factLike = (page: string, text: string): string | undefined => {
  const name = text.replace(/: .*/s, '')
  return Object.hasOwn(FACTS, name) ? factsOf(page).find((fact) => fact.startsWith(`${name}: `)) : undefined
}

/**
 * Says whether a page has a text: in its words or its markup. A text that begins with ~ is a pattern, one that begins
 * with ! a pattern of what the markup does not have, and a fact is the whole fact ("panel: Box").
 */
export function isSaid(page: string, text: string): boolean {
  const fact = factLike(page, text)
  if (fact !== undefined) return fact === text
  if (text.startsWith('!')) return !new RegExp(text.slice(1)).test(markupOf(page))
  const seen = [...factsOf(page), unescaped(plainText(page)), markupOf(page)].join('\n')
  return text.startsWith('~') ? new RegExp(text.slice(1)).test(seen) : seen.includes(text)
}
