/**
 * GET /app/table: takes a table of places, and says what can be added to it. POST /app/table shows the first rows with
 * their new columns and the price, and sends the whole table once the same file comes with the form of that answer.
 */
import { pipeline } from 'node:stream/promises'
import type { Request, RequestHandler, Response } from 'express'
import {
  BYTES_MAX,
  type Enriched,
  enrichTable,
  keepBytes,
  payableOf,
  ROWS_MAX,
  withFolder,
} from '../../api/tool/table.js'
import { hangUpSignal } from '../../api/http/call.js'
import { quoteCall } from '../../core/credits/index.js'
import { visibleDatasets } from '../../core/datasets/index.js'
import { type DatasetRow, withDeadline } from '../../core/db/index.js'
import { deadlineIn } from '../../core/deadline.js'
import { ApiError, invalid } from '../../core/errors.js'
import { bucketsOfPage } from '../../core/limits/index.js'
import { type Column, type Offered, offeredColumns, readColumns } from '../../core/table/index.js'
import type { Services } from '../../services.js'
import { newSpendingId, payByForm, requestIdOf } from '../ask/spending-form.js'
import { countText } from '../shell/amounts.js'
import { choice, type Column as Shown, folded, table } from '../shell/components.js'
import { type Filled, filledIn, offered } from '../shell/fields.js'
import { readFileForm } from '../shell/file-form.js'
import { textField, textFields } from '../shell/form.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { personAuthority, purseText } from '../shell/person-authority.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'

export function tableRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const { offers } = await offersFor(services, req)
    const chosen = { ...offered(), texts: (name: string) => (name === 'of' ? ['row'] : USUAL) }
    sendPage(res, tablePage(req, { offers, form: chosen }))
  }
}

async function offersFor(services: Services, req: Request) {
  const { deadline } = req.context
  const reader = services.readerForRequest(deadline)
  const person = personAuthority(sessionOf(req))
  const datasets = await visibleDatasets(withDeadline(services.authorityReader, deadline), reader, person)
  return { reader, datasets, offers: await offeredColumns(reader, datasets) }
}

export function tableFileRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const { reader, datasets, offers } = await offersFor(services, req)
    await withFolder(async (fileIn) => {
      const path = fileIn('came')
      try {
        const { name, hash } = await readFileForm(req, (bytes) => keepBytes(bytes, path))
        const columns = await readColumns(reader, columnsOf(req, datasets), datasets)
        const asked = { path, isJson: formatOf(name) === 'json', asJson: false, named: {}, columns }
        const person = personAuthority(sessionOf(req))
        const buckets = bucketsOfPage(services.bucketSizes, person, false)
        const found = await enrichTable(services, { ...asked, buckets, hangUp: hangUpSignal(res) })
        if (!found) return
        await answer(services, res, { offers, form: filledIn(req), name, hash, columns, datasets, found })
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 400) throw error
        const faults = { [error.message.startsWith('columns:') ? 'columns' : 'file']: error.message }
        res.status(422)
        sendPage(res, tablePage(req, { offers, form: filledIn(req, faults) }))
      }
    })
  }
}

const EXTENSIONS = { csv: 'csv', tsv: 'csv', txt: 'csv', json: 'json' } as const

function formatOf(name: string): 'csv' | 'json' {
  if (name === '') throw invalid('Choose a file of CSV or JSON.')
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const format = extension in EXTENSIONS ? EXTENSIONS[extension as keyof typeof EXTENSIONS] : undefined
  if (format) return format
  throw invalid(
    `A file whose name ends in .csv, .tsv, .txt or .json is accepted, ${name.slice(-60)} came. A spreadsheet can be saved as CSV.`,
  )
}

/** Figures are read for each kind of place that is ticked. A dataset that costs is read on frames alone. */
function columnsOf(req: Request, datasets: readonly DatasetRow[]): string {
  const isFree = (figure: string) =>
    datasets.some(({ layerId, price }) => price === null && figure.startsWith(`${layerId}.`))
  const figures = textFields(req, 'figure')
  const around = textFields(req, 'of').flatMap((of) =>
    of === 'row' ? figures : figures.filter(isFree).map((figure) => `${of}:${figure}`),
  )
  const columns = [...textFields(req, 'column'), ...around]
  if (columns.length === 0) throw invalid('columns: tick one at least, and for figures what they are of.')
  return columns.join(',')
}

type Answered = {
  offers: Offered[]
  form: Filled
  name: string
  hash: string
  columns: Column[]
  datasets: DatasetRow[]
  found: Enriched
}

const OTHER_FORM =
  'Another file or other columns came, or the form is older than an hour. Nothing was spent. This is what it has now.'

async function answer(services: Services, res: Response, answered: Answered): Promise<void> {
  const { req } = res
  const { offers, form, name, hash, columns, datasets, found } = answered
  const session = sessionOf(req)
  const purpose = `table ${hash} ${columns.map(({ text }) => text).join()}`
  const payable = payableOf(datasets, found)
  // The request's own time may be over: reading a long table takes longer.
  const deadline = deadlineIn(services.callMs)
  const isDownload = textField(req, 'download') !== ''
  const requestId = isDownload ? requestIdOf(session, purpose, textField(req, 'request')) : undefined
  let refusal: string | undefined
  if (isDownload && requestId === undefined) refusal = OTHER_FORM
  else if (requestId !== undefined) {
    const contributing = payable
    if (payable.length > 0) refusal = await payByForm(services, req, { contributing, requestId, deadline })
    if (refusal === undefined) return await sendFile(res, name, found)
  }
  const quote = await quoteCall(withDeadline(services.ledger.db, deadline), personAuthority(session), payable)
  if (refusal !== undefined) res.status(422)
  const result = resultPart(req, { ...answered, ...quote, request: newSpendingId(session, purpose), refusal })
  sendPage(res, tablePage(req, { offers, form, result }))
}

async function sendFile(res: Response, name: string, found: Enriched): Promise<void> {
  const plain = name.replace(/\.\w+$/, '').replaceAll(/[^\w.-]+/g, '-')
  res.set('Content-Type', 'text/csv; charset=utf-8')
  res.set('Content-Disposition', `attachment; filename="${plain}-enriched.csv"`)
  // A browser that hangs up ends the file.
  await pipeline(found.textWithout([]), res).catch((error: unknown) => {
    if (!res.destroyed) throw error
  })
}

type Quoted = Awaited<ReturnType<typeof quoteCall>>

function resultPart(
  req: Request,
  {
    found,
    columns,
    price,
    leftOut,
    request,
    refusal,
  }: Answered & Quoted & { request: string; refusal: string | undefined },
): Html {
  const left = req.visit.purse?.leftToday ?? Infinity
  const isCovered = leftOut.length === 0 && price.credits <= left
  const each = price.datasets.map((dataset) => `${dataset.name ?? dataset.layerId}: ${dataset.price}`).join(', ')
  return html`<section id="result" tabindex="-1">
    <h2>${countText(found.rows, 'row')}, ${found.found.toLocaleString('en')} with a place</h2>
    ${refusal !== undefined && html`<p class="notice warn" role="alert">${refusal}</p>`}
    <p>
      ${price.credits === 0 ? 'This costs nothing.' : html`This costs <strong>${countText(price.credits, 'credit')}</strong> (${each}). ${purseText(req.visit)}`}
      ${!isCovered && html`<strong>The credits do not cover it: tick less.</strong>`}
    </p>
    ${table(`The first rows of ${found.rows}`, shownColumns(found, columns), found.shown)}
    ${
      isCovered &&
      html`<div class="row">
        <input type="hidden" name="request" value="${request}" />
        <button class="primary" name="download" value="all">Download ${countText(found.rows, 'row')} as CSV</button>
        <span class="quiet">Where scripts are off, choose the same file again first.</span>
      </div>`
    }
  </section>`
}

type FirstRow = Enriched['shown'][number]

/** Nothing of a dataset that costs is shown before it is paid for. */
const shownColumns = ({ head }: Enriched, columns: readonly Column[]): Shown<FirstRow>[] => [
  ...head.map((heading, i): Shown<FirstRow> => ({ heading, cell: ({ given }) => given[i] ?? '' })),
  ...columns.map((column, i): Shown<FirstRow> => {
    const isPaid = 'dataset' in column && column.dataset.price !== null
    return {
      heading: column.text,
      cell: ({ told }) =>
        isPaid
          ? html`<span class="quiet">once paid</span>`
          : (told.values[i] ?? '') && html`<strong>${told.values[i]}</strong>`,
    }
  }),
  { heading: 'reason', cell: ({ told: { reason } }) => reason, width: 'wide' },
]

const USUAL = ['frame', 'state', 'lga', 'ward']
const OF_FRAME = [
  ['frame', 'Frame'],
  ['state', 'State'],
  ['lga', 'LGA'],
  ['ward', 'Ward'],
  ['stateCode', 'Code of the state'],
  ['lgaCode', 'Code of the LGA'],
  ['wardCode', 'Code of the ward'],
] as const
const OF = [
  ['row', 'The row itself: its frame, or its unit'],
  ['ward', 'The ward around it'],
  ['lga', 'The LGA around it'],
  ['state', 'The state around it'],
] as const

type Page = { offers: readonly Offered[]; form: Filled; result?: Html }

function tablePage(req: Request, { offers, form, result }: Page): PageContent {
  const box = (name: string, value: string, label: Html | string) =>
    choice({ type: 'checkbox', name, value, isChosen: form.texts(name).includes(value) }, label)
  const fault = (name: string) => form.faults[name] !== undefined && html`<p class="fault">${form.faults[name]}</p>`
  return {
    title: 'Enrich a table',
    section: '/table',
    faults: form.faults,
    scripts: ['table.js'],
    body: html`<form
      class="form sheet with-file"
      method="post"
      action="${req.visit.place.app}/table#result"
      enctype="multipart/form-data"
    >
      <p>The rows of your file come back in their order, with columns about the place of each.</p>
      <div class="field ${form.faults['file'] !== undefined && 'faulty'}">
        <label for="file">1. File: drop it here, or choose it</label>
        <input type="file" id="file" name="file" accept=".csv,.tsv,.txt,.json" required aria-describedby="file-note" />
        ${fault('file')}
        <p class="hint" id="file-note">
          CSV with names in its first line, or a list of JSON objects; up to ${countText(ROWS_MAX, 'row')} and
          ${BYTES_MAX >> 20} MiB. A place is a column <code>frame</code>, or <code>lat</code> and <code>lon</code> in
          degrees, or <code>state</code> with <code>lga</code> and <code>ward</code> beside it.
        </p>
      </div>
      <fieldset id="columns" tabindex="-1">
        <legend>2. Columns</legend>
        ${fault('columns')}
        <div class="row">${OF_FRAME.map(([value, label]) => box('column', value, label))}</div>
        ${offers.map((offer) => offerPart(offer, form, box))}
      </fieldset>
      <fieldset>
        <legend>3. Figures are of</legend>
        <div class="row">${OF.map(([value, label]) => box('of', value, label))}</div>
        <p class="hint">Datasets that cost are read for the row itself.</p>
      </fieldset>
      <div class="row">
        <button class="${!result && 'primary'}" name="look" value="1">Show ten rows and the price</button>
      </div>
      ${result}
    </form>`,
  }
}

function offerPart(
  { dataset, names }: Offered,
  form: Filled,
  box: (name: string, value: string, label: Html | string) => Html,
): Html {
  const { layerId, name, price } = dataset
  const values = names.map((each) => ({ ...each, value: `${layerId}.${each.name}` }))
  const chosen = values.filter(({ value }) => form.texts('figure').includes(value)).length
  const cost = price === null ? 'free' : `${countText(price, 'credit')} per 100 rows`
  const summary = `${name}: ${countText(names.length, 'column')}, ${cost}${chosen > 0 ? `; ${chosen} ticked` : ''}`
  return folded('fold', summary, html`${values.map(({ value, label }) => box('figure', value, label))}`)
}
