/** Names and addresses stand on one line of a page or a terminal, where people have to see them. */

/** Control characters, also those that turn the direction of a text, and the two separators of lines. */
const CONTROL = /[\p{C}\p{Zl}\p{Zp}]/u

/** Blanks, and the letters that every font draws as one. */
const BLANK = /[\p{Z}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/gu

/** Says why a text cannot be a name. Undefined for one that can. A blank text is no fault here. */
export function nameFault(text: string): string | undefined {
  if (CONTROL.test(text)) return 'Control characters, line breaks and invisible characters are not accepted.'
  return text !== '' && text.replace(BLANK, '') === '' ? 'This name shows nothing: letters are needed.' : undefined
}

const escape = (text: string) =>
  Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')

/**
 * Writes control characters as \u001b, since a terminal obeys them. The database may hold names that are older than the
 * rule, or that psql entered. In JSON the same escape stands for the same character.
 */
export const escapeControls = (text: string): string => text.replace(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu, escape)

/** Does the same for a line, which a line break would end. */
export const escapeLine = (line: string): string => escapeControls(line).replace(/[\n\t]/g, escape)
