/** Colours SQL, shell and Python on the server: the text stays what a person copies. */
import { html, type Html } from './html.js'

export type Language = 'sql' | 'shell' | 'python'

const STRINGS = String.raw`'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|\\.)*"`

/** Each piece is a comment, a text, a number or a word; the rest stands as it is. */
const PIECES: Readonly<Record<Language, RegExp>> = {
  sql: new RegExp(
    String.raw`(?<comment>--[^\n]*|/\*[^]*?\*/)|(?<text>${STRINGS})|(?<number>\b\d[\d.]*\b)|(?<word>[a-z_]\w*)`,
    'gi',
  ),
  shell: new RegExp(
    String.raw`(?<comment>(?:^|(?<=\s))#[^\n]*)|(?<text>${STRINGS})|(?<word>(?<=^|\s)(?:curl|psql|-{1,2}[\w-]+))`,
    'gm',
  ),
  python: new RegExp(
    String.raw`(?<comment>#[^\n]*)|(?<text>${STRINGS})|(?<number>\b\d[\d.]*\b)|(?<word>[a-z_]\w*)`,
    'gi',
  ),
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const KEYWORDS: Readonly<Record<Language, ReadonlySet<string> | undefined>> = {
  sql: words(
    `all and any array as asc between by case cast coalesce collate create cross cube deallocate delete desc distinct
    else end except execute exists false filter first for from full group grouping having in inner insert intersect
    into is join last lateral left like limit materialized natural not null nulls of offset on only or order ordinality
    outer over partition prepare range recursive right rollup row rows select sets set some then true union unnest
    update using values when where window with within`,
  ),
  shell: undefined,
  python: words('and as def else for from if import in is None not or return True False with print'),
}

export function coloured(text: string, language: Language): Html {
  const parts: (Html | string)[] = []
  let from = 0
  for (const found of text.matchAll(PIECES[language])) {
    const [piece] = found
    const kind = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? ''
    const keywords = KEYWORDS[language]
    if (kind === 'word' && keywords && !keywords.has(language === 'sql' ? piece.toLowerCase() : piece)) continue
    parts.push(text.slice(from, found.index), html`<span class="code-${kind}">${piece}</span>`)
    from = found.index + piece.length
  }
  return html`${[...parts, text.slice(from)]}`
}
