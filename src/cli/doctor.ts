/** frames doctor: what is wrong with this database, and the statement that fixes it. */
import { examine, type Finding, type Report } from '../doctor/examine.js'
import { command, form } from './command.js'
import { withDatabaseAsItIs } from './open-database.js'

export const doctorCommand = command('say what is wrong with the database, and what fixes it', [
  form({
    does: 'Looks at the database with every check, changes nothing, and ends with status 1 where something is wrong.',
    options: {
      thorough: {
        does: 'looks at every frame and feature; takes minutes on a national index',
        unset: 'some checks look at a sample of a large table',
      },
    },
    run: async (config, { options: { thorough } }, out) => {
      const progress = thorough ? out.progress : () => {}
      const report = await withDatabaseAsItIs(config, (db, isEmbedded) =>
        examine(db, { isEmbedded, isThorough: thorough, progress }),
      )
      out.result(report, describe(report))
      if (!report.ok) throw new Error(verdict(report))
    },
  }),
])

function describe(report: Report): string {
  const { findings, unchecked, sampled, ok } = report
  const paragraphs = [
    ...['wrong', 'advice'].flatMap((severity) =>
      findings.filter((finding) => finding.severity === severity).map(block),
    ),
    ...(unchecked.length > 0
      ? [['Not checked:', ...unchecked.map(({ check, why }) => `  ${check}: ${why}`)].join('\n')]
      : []),
    ...(sampled.length > 0 ? [`A sample was looked at by ${sampled.join(', ')}; --thorough looks at all.`] : []),
    ...(ok ? [verdict(report)] : []),
  ]
  return paragraphs.join('\n\n')
}

/** The statements stand at the margin, to be copied as they are. */
const block = ({ check, severity, what, fix }: Finding) => `${severity}  ${check}: ${what}\n${fix}`

function verdict({ findings, checked }: Report): string {
  const wrong = findings.filter(({ severity }) => severity === 'wrong').length
  const advice = findings.length - wrong
  const said = wrong === 0 ? 'All is well' : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong`
  return `${said}: ${checked.length} checks, ${advice} ${advice === 1 ? 'piece' : 'pieces'} of advice.`
}
