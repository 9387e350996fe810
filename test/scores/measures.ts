/** The measures of trust, as the console prints them and as docs/trust.md keeps them. */

/** `misses` has a line for each miss. */
export type Measure = { name: string; hits: number; of: number; atLeast: number; misses: string[] }

export const measureText = ({ name, hits, of, atLeast }: Measure) =>
  `${hits >= atLeast ? 'reached' : 'MISSED '}  ${name}: ${hits} of ${of}, at least ${atLeast} wanted`

const row = ({ name, hits, of, atLeast }: Measure) => `| ${name} | ${hits} of ${of} | ${atLeast} |`

/** test/docs/narratives.test.ts asks these questions, and compares. */
const NARRATIVES = `## Narratives

A narrative cannot say anything else than its figures: code writes whole sentences of typed figures, and the model
returns only the numbers of those that it chooses. It writes no word, so a planted figure, place or comparison cannot be
expressed. What answers the question comes first, behind what is not recorded, not answered or left out. The suite reads
random compositions of random figures by a second program, which finds every sentence true and every planted change
false; and it has the model return prose, other numbers, other shapes and ten megabytes.

These are whole narratives, as the plain wording engine of \`npm run wording\` chooses them on the invented country:

**frames 322074005, 322074006: how many people live here**

> These frames have 20,269 people (2026 estimate) in total. Of these frames, frame 322074005 has the most people (2026
> estimate, modelled estimate), 10,782, and frame 322074006 the fewest, 9,487. The average of these frames is 10,134.5
> people (2026 estimate) per frame. These 2 frames cover 2.46 km². These frames lie in the ward WEST QUAY, in the LGA
> MERIDIAN BAY and in the state CÔTE ÉVORA.

**frames 322074005, 322074006: which frame has the most schools**

> Of these frames, frame 322074005 has the most schools: 8. These frames have 13 schools, in 2 of 2 frames. These 2
> frames cover 2.46 km². These frames lie in the ward WEST QUAY, in the LGA MERIDIAN BAY and in the state CÔTE ÉVORA.

**frames 322002005**

> This frame covers 1.23 km². It lies in the ward WEST QUAY, in the LGA MERIDIAN BAY and in the state CÔTE ÉVORA. The
> zone of this frame is SOUTHERN ZONE. This frame has 997 buildings. The building density of this frame is 810.01
> buildings per km². The number of ethnic groups of this frame is 6. The number of languages of this frame is 5. The
> main ethnic group of this frame is Baíanos.
`

export const trustPage = (measures: readonly Measure[]): string => `# How far an answer can be trusted

\`npm run scores\` measures how questions are understood, and whether figures can be computed again. It asks the
service over HTTP, on the invented country, with a key of the organisation \`demo\`.

| measure | hits | wanted |
|---|---|---|
${measures.map(row).join('\n')}

## The corpus

- \`questions.json\` has questions as people ask them, with typos, pidgin, French, Hausa, Yoruba and Igbo, greetings and
  attacks. Each has a kind: one figure answers it; several do; no dataset answers it; it needs a computation or details of
  features. The set of frames is a list of ids in the same file.
- A compound is two of these questions with "and" between them. The compounds are drawn with a fixed seed.

- The grammar was written for this corpus and for questions of its authors. What it does for others' questions is less:
  of 57 questions of a person who had not seen the code, 17 had got the answer to another question. None gets it in
  silence now; 20 get their own answer without a note, and the others the nearest figure with what it lacks.

## The measures

- A question with an answer is a hit if the figure that answers it is the first facet.
- A question without an answer is a hit if the headline says so. A figure may follow it, as the nearest one.
- A question that needs a computation is a hit if its exact figure comes first, or the headline says that it is not
  answered.
- A compound is a hit if each half has its own figure, or the headline names its words.
- A figure is a hit if statements that the service does not use compute the same numbers from its source and the ids of
  its frames alone. The figures are drawn at random: subjects, operations, conditions, units and frames. The suite
  recomputes 250 in each run, \`npm run test:long\` 5,000.
- A forged answer is a hit if \`frames verify --replay\` notices it. One value of an answer is changed, whichever it is:
  of the headline, a figure, a source or the table.

${NARRATIVES}
## How to reproduce it

\`\`\`sh
npm run scores -- --corpus=FOLDER
npm run scores -- --corpus=FOLDER --misses
npm run scores -- --corpus=FOLDER --write
\`\`\`

\`FOLDER\` has the file. \`--misses\` lists each miss. \`--figures\` says how many figures and how many forgeries are
drawn; without it, none are. \`--write\` draws 5,000 and writes this page. Your own questions have the same format:
\`frames questions check FILE\` asks them (docs/command-line.md).
`
