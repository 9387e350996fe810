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
}
