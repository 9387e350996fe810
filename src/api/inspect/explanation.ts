/** Explains a statement of a call: its plan, the cost that was measured, and the cost that its header allows. */
import { type Database, isOverLimit, type ReadLimits, readOnly, sqlText } from '../../core/db/index.js'
import type { StatementStep } from './dry-run.js'
import { measurePlan, type PlannerState, readPlannerState, runExplain } from './explained.js'
import { headerOf } from './header.js'
import { type Facts, type Plan, planFacts } from './plan.js'
import { type Allowance, allowanceOf, type PlanVerdict, verdictOf, verdictSentences } from './verdict.js'

type Measured = { plan: Plan; facts: Facts; verdict: PlanVerdict; allowance: Allowance | undefined }
export type Explanation = {
  step: StatementStep
  /** The plan as "explain" prints it; undefined where there was no time left for it. */
  planText: string | undefined
  /** Undefined where the statement was stopped. */
  measured: Measured | undefined
  /** They leave out the cost, which `measured` has. */
  sentences: string[]
}

/**
 * Runs work on one connection. A statement that PostgreSQL stops there breaks nothing but this work. A
 * statement may take `leastMs` even where the time for all statements is over.
 */
export type MeasuredScope = <Answer>(
  work: (run: Database['rows']) => Promise<Answer>,
  leastMs?: number,
) => Promise<Answer>

/** Planning takes milliseconds, and more on a busy machine. */
const PLAN_MS = 1000

/** Explains the statements in their order, one after the other. Each runs three times. */
export async function explainSteps(
  db: Pick<Database, 'transaction'>,
  steps: readonly StatementStep[],
  limits?: ReadLimits,
): Promise<Explanation[]> {
  const inside: MeasuredScope = (work) => readOnly(db, limits, work)
  const around = await inside((rows) => readPlannerState({ rows }))
  return await explainInScope({ inside, around, limits }, steps)
}

/** `limits`: the scope stops a statement at these. */
type ExplainScope = { inside: MeasuredScope; around: PlannerState; limits?: ReadLimits | undefined }

export async function explainInScope(scope: ExplainScope, steps: readonly StatementStep[]): Promise<Explanation[]> {
  const explanations: Explanation[] = []
  for (const step of steps) explanations.push(await explainStep(scope, step))
  return explanations
}

async function explainStep(scope: ExplainScope, step: StatementStep): Promise<Explanation> {
  try {
    return await measuredStep(scope, step)
  } catch (error) {
    if (!scope.limits || !isOverLimit(error)) throw error
    return { step, ...(await withoutMeasures(scope.inside, step, scope.limits)), measured: undefined }
  }
}

async function measuredStep({ inside, around, limits }: ExplainScope, step: StatementStep): Promise<Explanation> {
  const { plan, planText } = await inside(async (run) => {
    if (limits) await deallocateLeft(run)
    const measured = await measurePlan(run, step)
    return { plan: measured, planText: (await runExplain(run, step, 'analyze, buffers')).join('\n') }
  })
  const header = headerOf(step.text)
  const facts = { ...planFacts(plan), ...timesOf(planText) }
  const verdict = verdictOf(header, step.args, facts, around)
  return {
    step,
    planText,
    measured: { plan, facts, verdict, allowance: allowanceOf(header, step.args, facts.rows) },
    sentences: verdictSentences(facts, verdict, header.allowed),
  }
}

async function withoutMeasures(
  inside: MeasuredScope,
  step: StatementStep,
  limits: ReadLimits,
): Promise<Pick<Explanation, 'planText' | 'sentences'>> {
  const seconds = limits.statementMs / 1000
  try {
    const lines = await inside(async (run) => {
      await deallocateLeft(run)
      return await runExplain(run, step, 'costs')
    }, PLAN_MS)
    return {
      planText: lines.join('\n'),
      sentences: [`The statement was stopped: it may take ${seconds} s at most. This is its plan, not measured.`],
    }
  } catch (error) {
    if (!isOverLimit(error)) throw error
    return { planText: undefined, sentences: ['No time was left to explain this statement.'] }
  }
}

/** A statement that is stopped aborts the transaction, and so the session keeps what runExplain prepared. */
async function deallocateLeft(run: Database['rows']): Promise<void> {
  const left = await run<{ name: string }>(sqlText('inspect/explained_left'), [])
  for (const { name } of left) await run(`deallocate ${name}`, [])
}

/** The text of the plan states the times; the plan as JSON comes from another run. */
function timesOf(text: string): { planningMs: number; executionMs: number } {
  const [planningMs = 0, executionMs = 0] = ['Planning', 'Execution'].map((step) =>
    Number(new RegExp(`^${step} Time: ([\\d.]+) ms$`, 'm').exec(text)?.[1]),
  )
  return { planningMs, executionMs }
}
