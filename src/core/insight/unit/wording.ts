/** QuestionWords a question about units as the reading of questions takes it. */

const THOUSANDS: ReadonlyMap<string, string> = new Map([
  ['hundred', '100'],
  ['thousand', '1000'],
  ['million', '1000000'],
])

const PER = /\bper\s+(\d[\d,]*|hundred|thousand|million)\s+(?=\p{L})/iu
/** "The least populated ward", as it stands alone, asks which ward is the least populated. */
const ADJECTIVE = /^(?:(?:what|which) is )?(?:the )?((?:most|least) \p{L}+|\p{L}+est) (state|lga|ward)s?\??$/iu

/** `times`: a ratio is to this many of the other, which is 1 where the question says no number. */
export function wordedForUnits(question: string): { text: string; times: string } {
  const [, sent] = PER.exec(question) ?? []
  const number = sent === undefined ? '1' : (THOUSANDS.get(sent.toLowerCase()) ?? sent.replaceAll(',', ''))
  const times = Number(number) > 0 && number.length < 12 ? number : '1'
  const text = times === '1' ? question : question.replace(PER, 'per ')
  const [, adjective, unit] = ADJECTIVE.exec(text.trim()) ?? []
  return { text: adjective === undefined ? text : `Which ${unit} is the ${adjective}?`, times }
}
