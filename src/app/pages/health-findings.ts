/** The parts of the page about health that come from the doctor: its verdict, its findings, and what it left out. */
import { CHECKS } from '../../core/doctor/checks.js'
import type { Finding, Report } from '../../core/doctor/examine.js'
import { countText } from '../shell/amounts.js'
import { badge, copyable, copyableText, distance, emptyState, table, type Column } from '../shell/components.js'
import type { CheckUp, Run } from '../health/check-up.js'
import { html, type Html } from '../shell/html.js'

const AS_OWNER = "DATABASE_URL='postgres://frames_owner@HOST/frames' npm run -s frames -- doctor"
const ON_THIS_MACHINE = 'npm run -s frames -- doctor'

export function checkUpSections(checkUp: Pick<CheckUp, 'last' | 'progress'>, isEmbedded: boolean): Html {
  const last = checkUp.last()
  const progress = checkUp.progress()
  return html`
    ${
      progress &&
      html`<p class="notice plain" role="status">
        Check ${progress.done} of ${progress.all} is under way${progress.looksAt && html`: ${progress.looksAt}`}. This
        page looks again every two seconds.
      </p>`
    }
    ${last ? runSections(last, isEmbedded) : !progress && notRun(isEmbedded)}
  `
}

const notRun = (isEmbedded: boolean): Html =>
  emptyState(
    'No checks have run since this process started',
    html`<p>
      ${
        isEmbedded
          ? 'They take some seconds. Calls wait for a check to end meanwhile, a second or two on a busy machine: the embedded database does one thing at a time.'
          : 'They take a minute at most, on a connection of their own.'
      }
    </p>`,
  )

function runSections(run: Run, isEmbedded: boolean): Html {
  const asOf = html`The checks ended ${distance(run.endedAt)}, and took ${(run.ms / 1000).toFixed(1)} seconds.`
  if ('fault' in run)
    return html`<p class="notice bad">The checks could not be made. ${run.fault}</p>
      <p class="quiet">${asOf}</p>`
  const { report } = run
  return html`
    <p class="notice ${report.ok ? 'good' : 'bad'}">${verdictOf(report)}</p>
    <p class="quiet">${asOf} ${sampledSentence(report)}</p>
    ${['wrong', 'advice'].flatMap((severity) =>
      report.findings.filter((finding) => finding.severity === severity).map((finding, i) => findingCard(finding, i)),
    )}
    ${uncheckedSection(report, isEmbedded)} ${checkedSection(report)}
  `
}

function verdictOf({ findings, checked }: Report): string {
  const wrong = findings.filter(({ severity }) => severity === 'wrong').length
  const advice = findings.length - wrong
  const summary = wrong === 0 ? 'All is well' : `${countText(wrong, 'thing is', 'things are')} wrong`
  return `${summary}: ${countText(checked.length, 'check')}, ${countText(advice, 'piece')} of advice.`
}

const sampledSentence = ({ sampled }: Report): string =>
  sampled.length === 0 ? '' : `These looked at a sample of a large table: ${sampled.join(', ')}.`

const findingCard = ({ check, severity, what, fix }: Finding, i: number): Html =>
  html`<section class="card">
    <p>${badge(severity, severity === 'wrong' ? 'bad' : 'warn')} <code>${check}</code></p>
    <p>${what}</p>
    ${copyableText(`fix-${severity}-${i}`, fix, `Fix of ${check}, ${severity} ${i + 1}`)}
  </section>`

type Unchecked = Report['unchecked'][number]

const looksAtOf = (check: string): string => CHECKS.find(({ name }) => name === check)?.looksAt ?? ''

const uncheckedColumns: readonly Column<Unchecked>[] = [
  { heading: 'Check', cell: ({ check }) => html`<code>${check}</code>` },
  { heading: 'Looks at', cell: ({ check }) => looksAtOf(check), width: 'wide' },
  { heading: 'Why not', cell: ({ why }) => why, width: 'wide' },
]

const uncheckedSection = ({ unchecked }: Report, isEmbedded: boolean): Html | false =>
  unchecked.length > 0 &&
  html`<section>
    <h2>Not checked here</h2>
    <p>${isEmbedded ? 'The command line makes more checks.' : 'The owner of the tables makes more checks.'}</p>
    ${copyable('doctor-line', isEmbedded ? ON_THIS_MACHINE : AS_OWNER)}
    <details class="twin">
      <summary>${countText(unchecked.length, 'check')} not made</summary>
      ${table('Checks that were not made', uncheckedColumns, unchecked)}
    </details>
  </section>`

const checkedColumns: readonly Column<string>[] = [
  { heading: 'Check', cell: (check) => html`<code>${check}</code>` },
  {
    heading: 'Looks at',
    cell: (check) => (check === 'node' ? 'the version of Node' : looksAtOf(check)),
    width: 'wide',
  },
]

const checkedSection = ({ checked }: Report): Html =>
  html`<details class="twin">
    <summary>${countText(checked.length, 'check')} made</summary>
    ${table('Checks that were made', checkedColumns, checked)}
  </details>`
