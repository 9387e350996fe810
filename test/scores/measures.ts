/** The measures of trust, as the console prints them and as docs/trust.md keeps them. */

/** `misses` has a line for each miss. */
export type Measure = { name: string; hits: number; of: number; atLeast: number; misses: string[] }

export const measureText = ({ name, hits, of, atLeast }: Measure) =>
  `${hits >= atLeast ? 'reached' : 'MISSED '}  ${name}: ${hits} of ${of}, at least ${atLeast} wanted`

const row = ({ name, hits, of, atLeast }: Measure) => `| ${name} | ${hits} of ${of} | ${atLeast} |`

const TABLE = /(?<=\| measure \| hits \| wanted \|\n\|---\|---\|---\|\n)(?:\|.*\n)+/

/** Puts the measures into the table of the page. */
export const withMeasures = (page: string, measures: readonly Measure[]): string =>
  page.replace(TABLE, `${measures.map(row).join('\n')}\n`)
