/** A mutant is the program with one rule broken. Some test must fail on it. */
export type Mutant = (Patch | Change) & {
  /** The mutant does this, against the rule that it breaks. */
  breaks: string
  /** Files of tests, such as credits/ledger. */
  tests: string[]
  /** Matches the titles of the tests that run. At least one of them must fail. */
  grep: string
}
/** A source file under src/ or sql/. It has the text `from` once, and the mutant has `to` instead. */
export type Patch = { file: string; from: string; to: string }
/** The owner runs this in each new database, after the migrations. */
type Change = { statement: string }

/** The text of the files in which a mutant differs from the program, and what is run in its databases. */
export type Broken = { mutant: Mutant; files: Readonly<Record<string, string>>; change: string }
