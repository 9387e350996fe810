/** The words of an instruction of a Dockerfile that has them as a list, such as ENTRYPOINT; none where there is no such line. */
export function execForm(text: string, instruction: string): string[] {
  const [, words = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(text) ?? []
  return JSON.parse(words) as string[]
}
