/** Reads the words of an instruction that lists them, such as ENTRYPOINT. Without such a line there are none. */
export function execForm(text: string, instruction: string): string[] {
  const [, words = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(text) ?? []
  return JSON.parse(words) as string[]
}
