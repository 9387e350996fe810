/** A way to break a database, and the answer of the doctor. */
export type Break = {
  what: string
  check: string
  severity: 'wrong' | 'advice'
  /** A superuser runs it. */
  by: string
  says: RegExp
  /** The form of a fix that a person has to carry out; `undo` then takes the break back. */
  fix?: RegExp
  undo?: string
  /** Only a superuser may run the fix. */
  asAdmin?: true
  /** Breaks of one subject change the same object, or what the checks of the others count. */
  subject?: string | undefined
  /** It disturbs other checks. */
  isAlone?: true
}

type Row = [what: string, by: string, says: RegExp, more?: Partial<Break>]

/** Makes breaks of rows under the name of their check. A break is "wrong" unless its row says "advice". */
export const breaksOf = (rows: Record<string, Row[]>): Break[] =>
  Object.entries(rows).flatMap(([check, each]) =>
    each.map(([what, by, says, more]): Break => ({ what, check, severity: 'wrong', by, says, ...more })),
  )
