/**
 * The operations of the grammar, as data. A clause has slots: what it names, and the phrases that say what to do with it.
 * A row fits where the clause has all slots that the row needs; a slot that the row neither needs nor allows is not
 * answered. The suite asks each example.
 */
import type { CueName } from './items.js'

/**
 * T: a topic. C: a class that is asked for. W: a condition or a place. N: a number of frames or units.
 * G: each unit or class has its figure. U: one or some units are asked for, by their figures. H: units pass a test.
 */
export type Slot = CueName | 'T' | 'C' | 'W' | 'N' | 'U' | 'H' | 'G'
/** Figures of a topic. */
export type TopicFigure =
  | 'usual' | 'sum' | 'mode' | 'mean' | 'median' | 'max' | 'min' | 'range' | 'rank' | 'change' | 'trend' | 'per_km2' | 'per'
  | 'portion' | 'part' | 'names' | 'extent' // prettier-ignore
export type RowOperation =
  | TopicFigure
  | 'by'
  | 'passing'
  | 'frames'
  | 'class'
  | 'area'
  | 'units'
  | 'unitsHere'
  | 'compare'
export type Row = { needs: Slot[]; may: Slot[]; operation: RowOperation; example: string }

const ROWS: readonly [needs: string, may: string, operation: RowOperation, example: string][] = [
  // one topic, or a list of them
  ['T', 'count which W profile compare', 'usual', 'How many people live here?'],
  ['T W where', 'count which', 'usual', 'How many people live where the slope is above 5 degrees?'],
  ['T sum', 'count W', 'sum', 'What is the total population?'],
  ['T mean', 'count frames per-frame W', 'mean', 'What is the average number of schools per frame?'],
  ['T per-frame', 'count W', 'mean', 'How many people live in each frame?'],
  ['T median', 'count frames per-frame W', 'median', 'What is the median population?'],
  ['T max', 'count which where frames top N W by amount sum', 'max', 'Which two frames have the most people?'],
  ['T min', 'count which where frames bottom N W by amount sum', 'min', 'Where is the elevation lowest?'],
  ['T rank', 'count which frames max min N W by amount', 'rank', 'Rank the frames by population.'],
  ['T top frames', 'count N W by amount max', 'rank', 'What are the top 3 frames by buildings?'],
  ['T range', 'count W', 'range', 'What is the range of elevation?'],
  ['T mode', 'which W', 'mode', 'What is the most common land cover?'],
  ['T change', 'count amount by share how W which', 'change', 'How has the population changed?'],
  ['T trend', 'which how amount by W', 'trend', 'Is the population growing?'],
  ['T density', 'count mean W', 'per_km2', 'How many people are there per square kilometre?'],
  ['T per', 'count ratio mean sum W', 'per', 'How many people are there per school?'],
  ['T ratio', 'W', 'per', 'What is the ratio of people to schools?'],
  ['T head', 'count mean W', 'per', 'How many schools are there per capita?'],
  ['T share W', 'count sum', 'portion', 'What share of people live in urban frames?'],
  ['T share max frames', 'count N sum', 'part', 'What share of the people live in the 3 frames with the most people?'],
  ['T names', 'which W', 'names', 'What are the names of the schools?'],
  ['T extent', 'count sum W measure', 'extent', 'How long are the main roads?'],
  ['T size', 'count sum W measure', 'extent', 'How large are the nature reserves?'],
  // units and classes
  [
    'T G',
    'by count sum mean density compare max min mode names rank which extent per head W',
    'by',
    'How many people live in each ward?',
  ],
  ['T U', 'names by amount rank compare top bottom N count per head W', 'by', 'List the wards by number of schools.'],
  [
    'T U max',
    'which where count mean density sum top N rank by amount per head W',
    'by',
    'Which ward has the most people?',
  ],
  [
    'T U min',
    'which where count mean density sum bottom N rank by amount per head W',
    'by',
    'Which two wards have the fewest schools?',
  ],
  ['H U', 'which count names', 'passing', 'Which wards have no school?'],
  ['U max', 'which size by N', 'area', 'Which ward is the largest?'],
  ['U min', 'which size by N', 'area', 'Which ward is the smallest?'],
  ['U size', 'which count N max min rank top by', 'area', 'Which ward has the largest area?'],
  ['U frames max', 'which count N', 'frames', 'Which ward has the most frames?'],
  ['G frames', 'count which names', 'frames', 'How many frames are there in each ward?'],
  ['U', 'which where count names W', 'units', 'What ward is this?'],
  // frames and classes
  ['W frames', 'count which where names share', 'frames', 'Which frames have no clinic?'],
  ['frames', 'count', 'frames', 'How many frames are there?'],
  ['C', 'count share which names mode or compare W', 'class', 'What percentage is cropland?'],
  ['C frames', 'count share which where W', 'class', 'How many frames are urban?'],
  // the index itself
  ['size', 'count sum which W measure', 'area', 'How big is this area?'],
  ['where', 'frames', 'unitsHere', 'Where is this?'],
  ['W', 'compare count profile which', 'compare', 'Compare these frames.'],
]

const slotsOf = (text: string) => text.split(' ') as Slot[]

export const rows: readonly Row[] = ROWS.map(([needs, may, operation, example]) => ({
  needs: slotsOf(needs),
  may: slotsOf(may),
  operation,
  example,
}))

/** The row that fits best: it needs the most slots, and leaves the fewest over. */
export function rowFor(slots: ReadonlySet<Slot>): Row | undefined {
  const leftOver = ({ needs, may }: Row) =>
    [...slots].filter((slot) => !needs.includes(slot) && !may.includes(slot)).length
  return rows
    .filter(({ needs }) => needs.every((slot) => slots.has(slot)))
    .toSorted((a, b) => leftOver(a) - leftOver(b) || b.needs.length - a.needs.length)[0]
}
