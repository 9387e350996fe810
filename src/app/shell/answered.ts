/** A panel of a page names the statements or the call that answered it, and how a program gets the same. */
import type { ExplainedCall } from '../../api/inspect/call.js'

/** A panel names a statement by its file in sql/, such as "totals_of_unit" or "web/datasets_to_choose". */
export type NamedStatement = { name: string; args: readonly unknown[] }

/** A statement over schema analyst, and why no call of the API gives the same. */
export type AnalystSelect = { reason: string; select: string }

/** Says how a program gets the same. The type leaves no panel without a line for a program. */
export type OtherWays =
  | { calls: readonly [ExplainedCall, ...ExplainedCall[]]; analyst?: AnalystSelect }
  | { calls?: undefined; analyst: AnalystSelect }

/**
 * `of` tells the panels of a page apart. `subject` says what the panel tells of, such as "Frame 324378020". `at`: the address
 * that draws the panel again, where it is not that of the page.
 */
export type AnsweredPanel = {
  of: 'panel' | 'units' | 'answer' | `figure-${number}`
  subject: string
  at?: string
  statements: readonly NamedStatement[]
} & OtherWays
