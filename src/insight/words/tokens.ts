/** Cuts a template into sentences of tokens: words, slots and marks. */

export type Slot = { kind: 'slot'; name: 'F' | 'L' | 'I'; place: number }
export type Token = ({ kind: 'word'; low: string; text: string } | Slot | { kind: 'mark'; text: string }) & {
  at: number
  end: number
}
export type Sentence = { tokens: Token[]; at: number }

const PROSE_TOKEN =
  /\{([FLI])([1-9]\d{0,2})\}|\bi\.e\.|(?<=\})['’]s(?!\p{L})|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[^\s\p{L}\p{M}]/gu

export function proseSentences(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let tokens: Token[] = []
  let last = 0
  const close = () => {
    if (tokens.length > 0) sentences.push({ tokens, at: tokens[0]?.at ?? 0 })
    tokens = []
  }
  for (const { 0: found, 1: name, 2: number, index } of text.matchAll(PROSE_TOKEN)) {
    if (text.slice(last, index).includes('\n')) close()
    last = index + found.length
    tokens.push({ ...tokenOf(found, name, number), at: index, end: last })
    if (/^[.!?]$/.test(found) && /^["”’')]*(?:\s|$)/.test(text.slice(last, last + 4))) close()
  }
  close()
  return sentences
}

function tokenOf(found: string, name: string | undefined, number: string | undefined) {
  if (name !== undefined) return { kind: 'slot' as const, name: name as Slot['name'], place: Number(number) - 1 }
  if (/^[\p{L}\p{M}]/u.test(found))
    return { kind: 'word' as const, low: found.toLowerCase().replace(/['’]s$/, ''), text: found }
  return { kind: 'mark' as const, text: found }
}

export const isMark = (token: Token | undefined, marks: string) => token?.kind === 'mark' && marks.includes(token.text)
export const wordAt = (token: Token | undefined) => (token?.kind === 'word' ? token.low : '')
export const isSlot = (token: Token | undefined, name: Slot['name']): token is Token & Slot =>
  token?.kind === 'slot' && token.name === name
