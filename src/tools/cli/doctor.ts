/** frames doctor: reports what is wrong with a database, and the statement that fixes it. */
import { CHECKS, examine, type Finding, type Report, verdict } from '../../core/doctor/index.js'
import { type Command, flag, form, repeatable } from './command.js'
import { withDatabaseAsItIs } from './open-database.js'
import { wordValue } from '../../core/values.js'

const checkName = wordValue(
  'CHECK',
  CHECKS.map(({ name }) => name),
)

export const doctorCommand: Command = {
  summary: 'say what is wrong with the database, and what fixes it',
  form: form({
    description:
      'Looks at the database with every check, changes nothing, and ends with status 1 where something is wrong.',
    args: {
      thorough: flag(
        'looks at every frame and feature; takes minutes on a national index',
        'some checks look at a sample of a large table',
      ),
      only: repeatable(checkName, 'makes this check alone; may be given several times', 'all checks'),
      skip: repeatable(checkName, 'leaves this check out; may be given several times', 'no check'),
    },
    run: async (config, { thorough, only, skip }, output) => {
      const checks = CHECKS.filter(({ name }) => (only.length === 0 || only.includes(name)) && !skip.includes(name))
      const progress = thorough ? output.progress : () => {}
      const report = await withDatabaseAsItIs(config, (db, isEmbedded) =>
        examine(db, { isEmbedded, isThorough: thorough, checks, progress }),
      )
      output.result(report, doctorReport(report))
      if (!report.ok) throw new Error(verdict(report))
    },
  }),
}

function doctorReport(report: Report): string {
  const { findings, unchecked, sampled, ok } = report
  const paragraphs = [
    ...['wrong', 'advice'].flatMap((severity) =>
      findings.filter((finding) => finding.severity === severity).map(findingText),
    ),
    ...(unchecked.length > 0 ? [['Not checked:', ...reasonsOf(unchecked)].join('\n')] : []),
    ...(sampled.length > 0 ? [`A sample was looked at by ${sampled.join(', ')}; --thorough looks at all.`] : []),
    ...(ok ? [verdict(report)] : []),
  ]
  return paragraphs.join('\n\n')
}

/** One line for each reason, with all checks that were left out for it. */
function reasonsOf(unchecked: Report['unchecked']): string[] {
  const reasons = [...new Set(unchecked.map(({ why }) => why))]
  return reasons.map((reason) => {
    const checks = unchecked.filter(({ why }) => why === reason).map(({ check }) => check)
    return `  ${checks.join(', ')}: ${reason}`
  })
}

/** A statement begins at the margin, so that a person can copy it. */
const findingText = ({ check, severity, what, fix }: Finding) => `${severity}  ${check}: ${what}\n${fix}`
