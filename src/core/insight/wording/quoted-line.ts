/** Text of other people in a prompt. */

/** Keeps it on one line: it can end neither its line nor the block. */
export const quotedLine = (text: string) => JSON.stringify(withoutFences(text))

const REPLACEMENTS: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '{': '(', '}': ')' }
export const withoutFences = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[<>{}]/g, (character) => REPLACEMENTS[character] ?? '')
