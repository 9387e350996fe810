/** Draws the answer to a question: its figures with their sources, and the words as words. */
import type { Request as ExpressRequest } from 'express'
import type { DatasetRow } from '../../core/db/index.js'
import { FEATURES, type Filter } from '../../core/figures/index.js'
import { CATALOGUE, shownOnes, statementsOf, waysTo } from './answer-statements.js'
import { drawingPart, intervalsPart } from './answer-drawing.js'
import { FRAME_IDS_MAX, type InsightAnswer, type SaidSentence, WORDING_NOTICES } from '../../core/insight/index.js'
import type { AskedQuestion } from './spending-form.js'
import { conditionText, datasetsOf } from '../map/condition.js'
import { type MapView, pickFields, queryOf } from '../map/view.js'
import { countText } from '../shell/amounts.js'
import { badge, type Column, folded, table } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { purseText } from '../shell/person-authority.js'
import { figureLink, showSql } from '../shell/show-sql.js'
import { type Place, type UnitLevel } from '../../core/place.js'

/** The page that shows the answer: Ask, or the map. */
export type AnswerPage = {
  path: string
  /** The page shows this beside the question, which is about the whole index where the view has no place. */
  view: MapView
  /** The page has a map: the answer needs no link to it. */
  isBesideMap: boolean
  /** The question is about those frames of the place that pass this filter; `said` names them by their number. */
  filter?: { where: Filter; said: (frames: number) => Html } | undefined
}

const linkTo = ({ path, view }: AnswerPage, question: string): string => path + queryOf({ ...view, question })

/** `question` is the one with the name that is meant. */
export type Meant = { name: string; question: string }

export type AnswerView = {
  req: ExpressRequest
  asked: AskedQuestion
  answer: InsightAnswer
  datasets: readonly DatasetRow[]
  /** The name of the organisation that owns each dataset. */
  owners: ReadonlyMap<string, string>
  page: AnswerPage
  /** Sends this question again, and spends. Undefined where words cannot be had. */
  spend: { requestId: string; canWord: boolean; isPaid: boolean }
  /** Units whose names are like words that were not understood, and the question with them. */
  meant: readonly Meant[]
}

export function answerView(view: AnswerView): Html {
  const { req, asked, answer, page } = view
  const { app } = req.visit.place
  const ways = waysTo(view)
  return html`
    <section class="panel answer" aria-labelledby="answer">
      <h2 id="answer" tabindex="-1">${asked.question ?? 'Profile'}</h2>
      ${page.filter?.said(answer.frames ?? answer.frameIds.length)}
      <p class="lead headline">${answer.headline}</p>
      ${sourcePart(view)} ${STANDING[answer.confidence] && html`<p>${badge(STANDING[answer.confidence], 'warn')}</p>`}
      ${intervalsPart(answer)} ${meantPart(view)} ${drawingPart(answer, app, page.view)} ${colourLink(view)}
      ${passingLinks(view)} ${wordsPart(view)} ${chargedPart(view)} ${leftOutPart(view)} ${soldPart(view)}
      ${!page.isBesideMap && answerMapLink(view)}
    </section>
    ${nextQuestions(page, answer.followUps)} ${figuresPart(view)} ${tablePart(answer, app, page.view)}
    <section>
      <h2>How it was answered</h2>
      ${showSql(req, { of: 'answer', statements: shownOnes(statementsOf(answer)), ...ways })}
    </section>
  `
}

/** Without a badge, the first figure answers the question, or none was asked. */
const STANDING = { exact: '', read: 'Read as the line says', nearest: 'Not answered, or not all of it' } as const

function answerMapLink({ req, page, answer }: AnswerView): Html | false {
  const count = answer.frames ?? answer.frameIds.length
  const query = answer.place ? queryOf({ pick: page.view.pick }) : `?frames=${answer.frameIds.join(',')}`
  return (
    count > 0 &&
    html`<p>
      <a href="${req.visit.place.app}/map${query}">Show ${countText(count, 'frame')} on the map</a>
    </p>`
  )
}

/** Says whose figures the headline has. */
function sourcePart({ req, answer, owners }: AnswerView): Html | false {
  const datasets = [...new Set(answer.shown.named.flatMap(({ dataset }) => dataset ?? []))]
  const link = ({ layerId, name, vintage }: DatasetRow) =>
    html`${owners.get(layerId) ?? ''},
      <a href="${req.visit.place.app}/datasets/${encodeURIComponent(layerId)}">${name}</a
      >${vintage !== null && `, ${vintage}`}`
  return (
    datasets.length > 0 &&
    html`<p class="quiet">Source: ${datasets.map((dataset, i) => html`${i > 0 && '; '}${link(dataset)}`)}</p>`
  )
}

/** A profile says what it lacks; the headline of a question says so where its words name such a dataset. */
function soldPart({ asked: { question }, answer, datasets }: AnswerView): Html | false {
  const priced = answer.place && question === undefined ? datasets.filter(({ price }) => price !== null) : []
  const names = priced.map(({ name, price }) => `${name}, ${countText(price ?? 0, 'credit')} a call`).join('; ')
  return (
    priced.length > 0 &&
    html`<p class="quiet">
      Not read, as they cost credits: ${names}. A price buys a call of at most ${FRAME_IDS_MAX} frames: pick a smaller
      place to read them.
    </p>`
  )
}

function colourLink({ req, asked: { question = '' }, answer, datasets, page }: AnswerView): Html | false {
  const colour = colourOfAnswer(answer)
  const dataset = datasets.find(({ layerId, price }) => layerId === colour?.layerId && price === null)
  if (!colour || !dataset) return false
  const chosen = {
    dataset: dataset.layerId,
    attribute: colour.attribute ?? FEATURES,
    brush: undefined,
    ...(colour.level && { level: colour.level }),
  }
  const address = linkTo({ ...page, path: `${req.visit.place.app}/map`, view: { ...page.view, ...chosen } }, question)
  // The map has no shares, and no figures of some frames: the link says what it has.
  return html`<p><a href="${address}">Colour the map by ${colour.label}</a></p>`
}

/** The frames of the condition go into a file, and the map asks on about them. */
function passingLinks({ req, answer, datasets, page }: AnswerView): Html | false {
  const { where, unit } = answer.shown.passing ?? {}
  const isFree = (layer: string) => datasets.some(({ layerId, price }) => layerId === layer && price === null)
  if (!where || conditionText(where) === undefined || !datasetsOf(where).every(isFree)) return false
  const query = queryOf({ pick: unit === undefined ? page.view.pick : { unit }, where })
  const { app } = req.visit.place
  return html`<p class="row">
    <a href="${app}/take${query}" data-drawer>Take the frames of the condition along</a>
    <a href="${app}/map${query}">Ask on about them</a>
  </p>`
}

/** A map may be coloured by this attribute of the first answer; null for the number of features. */
function colourOfAnswer({
  shown,
}: InsightAnswer):
  | { layerId: string; attribute: string | null; label: string; level: UnitLevel | undefined }
  | undefined {
  const [facet] = shown.named
  if (!facet?.dataset || facet.typed.named.type === 'property') return undefined
  const { layerId, attribute, figure: { by } = {} } = facet.source
  return {
    layerId,
    attribute: facet.dataset.kind === 'frames' ? attribute : null,
    label: facet.typed.named.label,
    level: by && 'level' in by ? by.level : undefined,
  }
}

/** Words are marked as words: a reader must know that a model chose them. */
function wordsPart(view: AnswerView): Html {
  const { model, notice, frameIds, frames = frameIds.length, shown } = view.answer
  const { paragraphs } = shown
  if (paragraphs !== undefined) {
    return html`<div class="words stack">
      <p>${badge(`Worded by ${model ?? 'a model'}`)}</p>
      ${paragraphs.map(({ sentences }) => html`<p>${sentences.map((sentence) => saidSentence(view.answer, sentence))}</p>`)}
      <p class="quiet">A model chose these sentences. Each leads to the figures below that it is made of.</p>
    </div>`
  }
  // Nobody asked for words here: the button below does.
  const said = notice === WORDING_NOTICES.not_asked ? undefined : notice
  return html`${said !== undefined && view.spend.canWord && html`<p class="quiet">${said}</p>`}
  ${
    view.spend.canWord &&
    frames > 0 &&
    spendingForm(view, 'words', 'Put it into words', "It spends one of the month's worded answers of the organisation.")
  }`
}

/** A sentence shows its figures and their source where it is pointed at, and leads to the first of them. */
function saidSentence(answer: InsightAnswer, { text, figures }: SaidSentence): Html {
  const [first] = figures
  if (first === undefined) return html`${text} `
  const all = shownFigures(answer)
  const titles = figures.map((place) => {
    const { label, value, source } = all[place] ?? {}
    const from = [source?.dataset, source?.vintage].filter(Boolean).join(', ')
    return `${label}: ${value}${from === '' ? '' : ` (${from})`}`
  })
  return html`<a class="said" href="#figure-${String(first + 1)}" title="${titles.join('; ')}">${text}</a> `
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
            The credits do not cover ${leftOut.length === 1 ? 'it' : 'them'}. ${purseText(view.req.visit)}
          </p>`
        : spendingForm(view, 'read', `Read for ${creditsText(credits)}`, purseText(view.req.visit))
    }
  </div>`
}

const spendingForm = (view: AnswerView, what: 'read' | 'words', button: string, hint: string): Html => {
  const { req, asked, page, spend } = view
  const sent = {
    request: spend.requestId,
    place: 'frames' in asked.place ? asked.place : page.view.pick,
    question: asked.question,
    isPaid: what === 'read' || spend.isPaid,
    isWorded: what === 'words',
  }
  return spendForm(req, sent, button, hint)
}

type SentAgain = {
  request: string
  place: Place | undefined
  question: string | undefined
  isPaid: boolean
  isWorded: boolean
}

/** Asks the same again, and spends. */
export function spendForm(req: ExpressRequest, sent: SentAgain, button: string, hint?: string): Html {
  const { request, place, question = '', isPaid, isWorded } = sent
  const fields = Object.entries({
    request,
    ...(place && ('frames' in place ? { frames: place.frames.join(',') } : pickFields(place))),
    question,
    ...(isPaid && { read: 'yes' }),
    ...(isWorded && { words: 'yes' }),
  })
  return html`<form class="row spend" method="post" action="${req.visit.place.app}/ask">
    ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button>${button}</button>
    ${hint !== undefined && html`<span class="quiet">${hint}</span>`}
  </form>`
}

type ShownFigure = InsightAnswer['facets'][number] & {
  place: number
  source: InsightAnswer['sources'][number] | undefined
}

const shownFigures = ({ facets, sources }: InsightAnswer): ShownFigure[] =>
  facets.map((facet, place) => ({ ...facet, place, source: sources[place] }))

function figuresPart(view: AnswerView): Html | false {
  const { facets, confidence } = view.answer
  if (facets.length === 0) return false
  const list = table('Figures', figureColumns(view), shownFigures(view.answer))
  // Nobody asked for the figures of a question that has no answer.
  return html`<section class="wraps" aria-labelledby="figures">
    <h2 id="figures">Figures</h2>
    ${confidence === 'nearest' ? folded('fold', `Other figures (${facets.length})`, list) : list}
    ${citesPart(view.answer)}
  </section>`
}

function citesPart({ sources }: InsightAnswer): Html | false {
  const cites = sources.flatMap(({ cite }) => cite ?? [])
  const list = html`<ul class="bare">
    ${cites.map((cite) => html`<li><code>${cite}</code></li>`)}
  </ul>`
  return cites.length > 0 && folded('fold', 'Cite these figures', list)
}

/** A name with a slip in it: the search finds the unit that is meant. */
const meantPart = ({ meant, page }: AnswerView): Html | false =>
  meant.length > 0 &&
  html`<p>
    Did you mean ${meant.map(({ name, question }) => html`<a href="${linkTo(page, question)}">${name}</a>? `)}
  </p>`

function valueLink(view: AnswerView, { place, label, value }: ShownFigure): Html | string {
  const made = view.answer.shown.facets[place]?.statements ?? []
  const statements = shownOnes(made).filter(({ name }) => name !== CATALOGUE)
  if (statements.length === 0) return value
  const panel = { ...waysTo(view), of: `figure-${place + 1}`, subject: label, statements } as const
  // A list of frames is no text of a link.
  if (value.length > VALUE_LINKED) return html`${value} ${figureLink(view.req, panel, 'How it was computed')}`
  return figureLink(view.req, panel, value)
}

const VALUE_LINKED = 60

const figureColumns = (view: AnswerView): Column<ShownFigure>[] => [
  {
    heading: 'Figure',
    cell: ({ label, place }) => html`<span id="figure-${String(place + 1)}">${label}</span>`,
    width: 'wide',
  },
  { heading: 'Value', cell: (shown) => valueLink(view, shown), align: 'number' },
  { heading: 'Dataset', cell: ({ source }) => source?.dataset ?? '' },
  { heading: 'Vintage', cell: ({ source }) => source?.vintage ?? '', width: 'short' },
  { heading: 'Method', cell: ({ source }) => source?.method ?? '', width: 'short' },
  { heading: 'Recorded on', cell: ({ source }) => (source ? countText(source.frames, 'frame') : ''), width: 'short' },
]

const nextQuestions = (page: AnswerPage, questions: readonly string[]): Html | false =>
  questions.length > 0 &&
  html`<section aria-labelledby="follow-ups">
    <h2 id="follow-ups">Ask next</h2>
    <ul class="bare">
      ${questions.map((question) => html`<li><a href="${linkTo(page, question)}">${question}</a></li>`)}
    </ul>
  </section>`

type TableRow = Record<string, string>

function tablePart({ table: { columns, rows } }: InsightAnswer, app: string, view: MapView): Html | false {
  const drawn = columns.map(({ key, label, unit }): Column<TableRow> => {
    const heading = unit === undefined ? label : `${label}, ${unit}`
    if (key === 'frameId') {
      const address = (id: string) => app + '/map' + queryOf({ ...view, camera: undefined, pick: { frames: [id] } })
      return { heading, cell: ({ frameId = '' }) => html`<a href="${address(frameId)}">${frameId}</a>` }
    }
    return { heading, cell: (row) => row[key] ?? '', align: 'number' }
  })
  return (
    columns.length > 1 &&
    folded(
      'fold',
      `Values of each frame (${rows.length})`,
      html`<div class="scrolled" tabindex="0" role="region" aria-label="Values of each frame">
        ${table('Values of each frame', drawn, rows)}
      </div>`,
    )
  )
}
