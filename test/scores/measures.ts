/** The measures of trust, as the console prints them and as docs/trust.md keeps them. */

/** `misses` has a line for each miss. */
export type Measure = { name: string; hits: number; of: number; atLeast: number; misses: string[] }

export const measureText = ({ name, hits, of, atLeast }: Measure) =>
  `${hits >= atLeast ? 'reached' : 'MISSED '}  ${name}: ${hits} of ${of}, at least ${atLeast} wanted`

const row = ({ name, hits, of, atLeast }: Measure) => `| ${name} | ${hits} of ${of} | ${atLeast} |`

export const trustPage = (measures: readonly Measure[]): string => `# How far an answer can be trusted

\`npm run scores\` measures how questions are understood, and how far the words of an answer can be trusted. It asks the
service over HTTP, on the invented country, with a key of the organisation \`demo\`.

| measure | hits | wanted |
|---|---|---|
${measures.map(row).join('\n')}

## The corpus

- \`questions.json\` has questions as people ask them, with typos, pidgin, French, Hausa, Yoruba and Igbo, greetings and
  attacks. Each has a kind: one figure answers it; several do; no dataset answers it; it needs a computation or details of
  features. The set of frames is a list of ids in the same file.
- A compound is two of these questions with "and" between them. The compounds are drawn with a fixed seed.
- \`narratives.json\` has narratives with a planted fault, each of a family of faults, and faithful ones.

## The measures

- A question with an answer is a hit if the figure that answers it is the first facet.
- A question without an answer is a hit if the headline says so. A figure may follow it, as the nearest one.
- A question that needs a computation is a hit if its exact figure comes first, or the headline says that it is not
  answered.
- A compound is a hit if each half has its own figure, or the headline names its words.
- A planted narrative is a hit if the service does not return it as it was planted: with a changed value, or without the
  figure's own noun beside the number. A faithful one is a hit if the service returns it at the first attempt.
- A narrative is about the figures of a scenario: frames, and a question. The service gives the figures, and a played
  model writes the narrative.
- A figure is a hit if statements that the service does not use compute the same numbers from its source and the ids of
  its frames alone. The figures are drawn at random: subjects, operations, conditions, units and frames. The suite
  recomputes 250 in each run, \`npm run test:long\` 5,000.
- A forged answer is a hit if \`frames verify --replay\` notices it. One value of an answer is changed, whichever it is:
  of the headline, a figure, a source or the table.

## How to reproduce it

\`\`\`sh
npm run scores -- --corpus=FOLDER
npm run scores -- --corpus=FOLDER --misses
npm run scores -- --corpus=FOLDER --write
\`\`\`

\`FOLDER\` has the two files. \`--misses\` lists each miss. \`--figures\` says how many figures and how many forgeries are
drawn; without it, none are. \`--write\` draws 5,000 and writes this page. Your own questions have the same format:
\`frames questions check FILE\` asks them (docs/command-line.md).
`
