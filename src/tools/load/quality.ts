/** Looks at the columns of a file while it is read: the owner compares the figures with those of the source. */
import { counted, noun } from '../../core/counted.js'
import { isFigureNumber, isFileNumber } from '../../core/decimal.js'
import { valueNotes } from './value-notes.js'

/** The numbers of a column as they were kept, as exact texts: sql/import/numbers_kept.sql reads them. */
export type KeptNumbers = { name: string; lowest: string; highest: string; total: string }

/** Figures of a column. */
export type ColumnFigures = {
  name: string
  /** A column of a baseline has a type, and a summary: how totals of units are made of it. */
  type?: 'number' | 'category'
  summary?: string
  /** Rows with a value, and rows without. */
  recorded: number
  blank: number
  /** Values that are no numbers, in a column of numbers. */
  odd?: number
  lowest?: string
  highest?: string
  total?: string
  /** The different values of a category; undefined where there are more than COUNTED_CLASSES. */
  classes?: number
  notes: string[]
}

const newTally = () => ({
  recorded: 0,
  blank: 0,
  numbers: 0,
  odd: undefined as string | undefined,
  /** Values that are no number in any spelling, and the first of them. */
  texts: 0,
  text: undefined as string | undefined,
  classes: new Set<string>(),
  /** Values that are whole numbers from 0 on. */
  counts: 0,
  others: valueNotes(),
})
type Tally = ReturnType<typeof newTally>

/** A category of more classes is a name or an id of its own for each frame. */
const COUNTED_CLASSES = 1000

/** `isDerived`: the import found the type among the values, since no catalogue gives it. */
type ColumnType = { type: 'number' | 'category'; summary: string; isDerived: boolean }

export type QualityCheck = ReturnType<typeof checkColumns>

export function checkColumns(names: readonly string[]) {
  const tallies = names.map(newTally)
  return {
    /** Returns the numbers that figures count; undefined for the other values. */
    add: (values: readonly string[]) => tallies.map((tally, i) => addValue(tally, values[i] ?? '')),
    /** Whether each column has nothing but numbers, in any spelling, and blanks. */
    areNumbers: (): boolean[] => tallies.map(({ texts }) => texts === 0),
    figures: (types: readonly ColumnType[], kept: readonly KeptNumbers[]): ColumnFigures[] =>
      tallies.flatMap((tally, i) => {
        const type = types[i]
        return type
          ? [columnFigures(tally, type, kept.find(({ name }) => name === names[i]) ?? { name: names[i] ?? '' })]
          : []
      }),
  }
}

function addValue(tally: Tally, text: string): string | undefined {
  const value = text.trim()
  if (value === '') {
    tally.blank += 1
    return undefined
  }
  tally.recorded += 1
  if (tally.classes.size <= COUNTED_CLASSES) tally.classes.add(value)
  if (!isFigureNumber(value)) {
    tally.odd ??= value
    if (!isFileNumber(value)) {
      tally.texts += 1
      tally.text ??= value
      tally.others.add(value)
    }
    return undefined
  }
  tally.numbers += 1
  if (/^\d+$/.test(value)) tally.counts += 1
  return value
}

function columnFigures(
  tally: Tally,
  type: ColumnType,
  { name, ...kept }: Partial<KeptNumbers> & { name: string },
): ColumnFigures {
  const { recorded, blank, numbers, classes } = tally
  return {
    name,
    type: type.type,
    summary: type.summary,
    recorded,
    blank,
    ...(kept.total !== undefined
      ? { odd: recorded - numbers, ...kept }
      : classes.size <= COUNTED_CLASSES && recorded > 0
        ? { classes: classes.size }
        : {}),
    notes: notesOn(tally, type),
  }
}

function notesOn(tally: Tally, { type, summary, isDerived }: ColumnType): string[] {
  const { recorded, numbers, odd, texts, text, classes, counts } = tally
  const notes: string[] = []
  const odds = recorded - numbers
  if (recorded === 0) notes.push('No row has a value.')
  if (recorded > 1 && classes.size === 1) notes.push(`Every value is ${[...classes].join('')}.`)
  if (type === 'number' && odds > 0) {
    const values = counted(odds, 'value is no plain number', 'values are no plain numbers')
    notes.push(`${values}, such as ${odd}: ${noun(odds, 'it counts', 'they count')} in no figure.`)
  }
  if (type === 'number' && isDerived && summary === 'mean' && recorded > 1 && counts === recorded && classes.size > 1) {
    notes.push('All are whole numbers: if they count something, give summary "sum" with --attributes.')
  }
  if (type === 'category' && summary === 'mode') notes.push(...tally.others.long())
  // The owner of a column of numbers may not know of the few texts in it.
  const dressed = type === 'category' && isDerived ? tally.others.dressed(texts, recorded) : undefined
  if (dressed !== undefined) notes.push(`${dressed}, or give its type with --attributes.`)
  else if (type === 'category' && isDerived && texts > 0 && texts < recorded) {
    const values = `${texts} of ${recorded} values ${noun(texts, 'is no number', 'are no numbers')}`
    notes.push(
      `${values}, such as "${text}": the column is a category. Correct the file, or give its type with --attributes.`,
    )
  }
  return notes
}
