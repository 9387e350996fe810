/** Draws the answer to a question: its figures with their sources, and the words as words. */
import type { Request as ExpressRequest } from 'express'
import type { InsightAnswer } from '../../core/insight/answer.js'
import type { SaidSentence } from '../../core/insight/sentences/compose.js'
import { NOTICES } from '../../core/insight/paid-words.js'
import type { DatasetRow } from '../../core/db/statements.js'
import { countText } from '../shell/amounts.js'
import { badge, table, type Column } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { showSql } from '../shell/show-sql.js'
import type { AnswerPage } from './answer-page.js'
import type { AskedQuestion } from './spending-form.js'

export type AnswerView = {
  req: ExpressRequest
  asked: AskedQuestion
  answer: InsightAnswer
  datasets: readonly DatasetRow[]
  page: AnswerPage
  /** Sends this question again, and spends. Undefined where words cannot be had. */
  spend: { requestId: string; canWord: boolean; isPaid: boolean }
}

export function answerView(view: AnswerView): Html {
  const { req, asked, answer, page } = view
  const { app } = req.visit.place
  const ids = answer.frameIds.join(',')
  return html`
    <section class="card answer" aria-labelledby="answer">
      <h2 id="answer" tabindex="-1">${asked.question ?? 'Profile'}</h2>
      <p class="lead">${answer.headline}</p>
      ${wordsPart(view)} ${chargedPart(view)} ${leftOutPart(view)}
      ${
        ids !== '' &&
        !page.isBesideMap &&
        html`<p>
          <a href="${app}/map?frames=${ids}">Show ${countText(answer.frameIds.length, 'frame')} on the map</a>
        </p>`
      }
    </section>
    ${nextQuestions(page, answer.followUps)} ${figuresPart(answer)} ${tablePart(answer, app)}
    <section>
      <h2>The same as a call</h2>
      ${showSql(req, { call: { method: 'POST', path: '/v1/frames/insight', body: bodyOf(view) } })}
    </section>
  `
}

const bodyOf = ({ asked: { frameIds, question }, answer }: AnswerView): string =>
  JSON.stringify({ frameIds, question, ...(answer.narrative === undefined ? { format: 'figures' } : {}) })

/** Words are marked as words: a reader must know that a model chose them. */
function wordsPart(view: AnswerView): Html {
  const { paragraphs, model, notice, frameIds } = view.answer
  if (paragraphs !== undefined) {
    return html`<div class="words">
      <p>${badge(`Worded by ${model ?? 'a model'}`)}</p>
      ${paragraphs.map(({ sentences }) => html`<p>${sentences.map((sentence) => saidSentence(view.answer, sentence))}</p>`)}
      <p class="quiet">A model chose these sentences. Each leads to the figures below that it is made of.</p>
    </div>`
  }
  // Nobody asked for words here: the button below does.
  const said = notice === NOTICES.not_asked ? undefined : notice
  const silent =
    view.spend.canWord || said !== undefined
      ? undefined
      : 'Answers come as figures here: no engine for words is configured.'
  return html`${(said ?? silent) !== undefined && html`<p class="quiet">${said ?? silent}</p>`}
  ${
    view.spend.canWord &&
    frameIds.length > 0 &&
    spendingForm(view, 'words', 'Put it into words', "It spends one of the month's worded answers of the organisation.")
  }`
}

/** A sentence shows its figures where it is pointed at, and leads to the first of them. */
function saidSentence({ facets }: InsightAnswer, { text, figures }: SaidSentence): Html {
  const [first] = figures
  if (first === undefined) return html`${text} `
  const title = figures.map((place) => `${facets[place]?.label}: ${facets[place]?.value}`).join('; ')
  return html`<a class="said" href="#figure-${String(first + 1)}" title="${title}">${text}</a> `
}

function chargedPart({ answer: { charged }, datasets }: AnswerView): Html | false {
  const paid = datasets.filter(({ layerId }) => charged.includes(layerId))
  return (
    paid.length > 0 &&
    html`<p>
      ${badge('Paid', 'good')} ${paid.map(({ name, price }) => `${name}: ${creditsText(price ?? 0)}`).join('; ')}. The
      same form sent again costs nothing.
    </p>`
  )
}

const creditsText = (credits: number) => countText(credits, 'credit')

function leftOutPart(view: AnswerView): Html | undefined {
  const { leftOut } = view.answer
  if (leftOut.length === 0) return undefined
  const credits = leftOut.reduce((sum, { price }) => sum + price, 0)
  const lacking = leftOut.some(({ reason }) => reason === 'insufficient_credits')
  return html`<div class="left-out">
    <p>Left out:</p>
    <ul>
      ${leftOut.map(({ name, layerId, price }) => html`<li>${name} <code>${layerId}</code>, ${creditsText(price)}</li>`)}
    </ul>
    ${
      lacking
        ? html`<p class="fault">
            The credits of the organisation do not cover ${leftOut.length === 1 ? 'it' : 'them'}.
          </p>`
        : spendingForm(view, 'read', `Read for ${creditsText(credits)}`, 'The organisation pays.')
    }
  </div>`
}

function spendingForm({ req, asked, spend }: AnswerView, what: 'read' | 'words', button: string, hint: string): Html {
  return html`<form class="inline spend" method="post" action="${req.visit.place.app}/ask">
    <input type="hidden" name="request" value="${spend.requestId}" />
    <input type="hidden" name="frames" value="${asked.frameIds.join(',')}" />
    <input type="hidden" name="question" value="${asked.question ?? ''}" />
    ${(what === 'read' || spend.isPaid) && html`<input type="hidden" name="read" value="yes" />`}
    ${what === 'words' && html`<input type="hidden" name="words" value="yes" />`}
    <button>${button}</button>
    <span class="quiet">${hint}</span>
  </form>`
}

type Figure = InsightAnswer['facets'][number] & { place: number; source: InsightAnswer['sources'][number] | undefined }

const figuresOf = ({ facets, sources }: InsightAnswer): Figure[] =>
  facets.map((facet, place) => ({ ...facet, place, source: sources[place] }))

const figuresPart = (answer: InsightAnswer): Html | false =>
  answer.facets.length > 0 &&
  html`<section class="wraps" aria-labelledby="figures">
    <h2 id="figures">Figures</h2>
    ${table('Figures', figureColumns, figuresOf(answer))}
  </section>`

const figureColumns: readonly Column<Figure>[] = [
  {
    heading: 'Figure',
    cell: ({ label, place }) => html`<span id="figure-${String(place + 1)}">${label}</span>`,
    width: 'wide',
  },
  { heading: 'Value', cell: ({ value }) => value, align: 'number' },
  { heading: 'Dataset', cell: ({ source }) => source?.dataset ?? '' },
  { heading: 'Vintage', cell: ({ source }) => source?.vintage ?? '', width: 'short' },
  { heading: 'Method', cell: ({ source }) => source?.method ?? '', width: 'short' },
  { heading: 'Recorded on', cell: ({ source }) => (source ? countText(source.frames, 'frame') : ''), width: 'short' },
]

export const nextQuestions = ({ linkTo }: AnswerPage, questions: readonly string[]): Html | false =>
  questions.length > 0 &&
  html`<section aria-labelledby="follow-ups">
    <h2 id="follow-ups">Ask next</h2>
    <ul class="bare">
      ${questions.map((question) => html`<li><a href="${linkTo(question)}">${question}</a></li>`)}
    </ul>
  </section>`

type TableRow = Record<string, string>

function tablePart({ table: { columns, rows } }: InsightAnswer, app: string): Html | false {
  const drawn = columns.map(({ key, label, unit }): Column<TableRow> => {
    const heading = unit === undefined ? label : `${label}, ${unit}`
    if (key === 'frameId')
      return { heading, cell: ({ frameId = '' }) => html`<a href="${app}/map?frame=${frameId}">${frameId}</a>` }
    return { heading, cell: (row) => row[key] ?? '', align: 'number' }
  })
  return (
    columns.length > 1 &&
    html`<details class="fold">
      <summary>Values of each frame (${rows.length})</summary>
      <div class="scrolled" tabindex="0" role="region" aria-label="Values of each frame">
        ${table('Values of each frame', drawn, rows)}
      </div>
    </details>`
  )
}
