/** Reads the notes before the figures of a headline. An answer does not hold its question: the notes quote it. */

const QUOTES = String.raw`"[^"]*"(?:, "[^"]*")*`
const WORD_NOTES = String.raw`(?:No dataset has a name for (${QUOTES})\. )?(?:Not answered: (${QUOTES})\. )?`
const PRICED = String.raw`${QUOTES} costs? credits: [^.]*\. `
const SOLD = String.raw`"[^"]*" costs \d+ credits? a call, and is sold for few frames: pick a smaller place\. `
const TOO_LARGE_NOTE = String.raw`Single frames are read in [^:]*: ask about a smaller place\. `
const REASONS = `((?:${PRICED})?(?:${SOLD})*(?:${TOO_LARGE_NOTE})?)`
const READ_NOTES = String.raw`((?:Read "[^"]*" as "[^"]*"\. )*)`
const PLACE_NOTES = '(?:None of these frames lies in ([^.:]+)\\. )?(?:Only some of these frames lie in ([^.:]+)\\. )?'
const NOTES = new RegExp(String.raw`^(?:.*? left out: .*?\. )?${WORD_NOTES}${REASONS}${READ_NOTES}${PLACE_NOTES}`)

export function notesOf(headline: string) {
  const [, unknown, unanswered, reasons = '', read, absent, partial] = NOTES.exec(headline) ?? []
  return {
    unknown: quotesIn(unknown),
    unanswered: quotesIn(unanswered),
    reasons: reasons === '' ? [] : [reasons.trim()],
    readAs: Array.from((read ?? '').matchAll(/"([^"]*)" as "([^"]*)"/g), ([, words = '', name = '']) => ({
      words,
      name,
    })),
    places: { absent: namesIn(absent), partial: namesIn(partial) },
  }
}

const quotesIn = (text = '') => Array.from(text.matchAll(/"([^"]*)"/g), ([, words = '']) => words)

const namesIn = (text: string | undefined) => (text === undefined ? [] : [text])

/** Leaves the figures of a headline. A number in its notes is one of the question, and no figure. */
export const figuresOfHeadline = (headline: string): string => headline.replace(NOTES, '')
