/** Reads figures, tables and forms out of pages. */

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

/** The cells of each row of the table with that caption. */
export function cellsOf(page: string, caption: string): string[][] {
  const table = Array.from(page.matchAll(/<table[^>]*>[\s\S]*?<\/table>/g), ([text]) => text).find(
    (text) => plainText(/<caption>([\s\S]*?)<\/caption>/.exec(text)?.[1] ?? '') === caption,
  )
  if (table === undefined) throw new Error(`No table is named "${caption}".`)
  const rows = Array.from(table.matchAll(/<tr>([\s\S]*?)<\/tr>/g), ([, row = '']) =>
    Array.from(row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g), ([, cell = '']) => plainText(cell)),
  )
  return rows.filter((cells) => cells.length > 0)
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

/** The sentence that an answer begins with. */
export const leadOf = (page: string): string => /<p class="lead">([^<]*)<\/p>/.exec(page)?.[1] ?? ''

/** The title of the panel beside the map. */
export const panelTitle = (page: string): string =>
  /<h2 id="panel-title"[^>]*>([^<]*)</.exec(page)?.[1]?.replaceAll('&#39;', "'") ?? ''
