/**
 * GET /app/take: offers the frames that were picked, or those of a box or a unit, as a file, with the price first. POST
 * /app/take sends the file. A dataset that costs is charged as a call of the API is, once for each form.
 */
import type { Request, RequestHandler, Response } from 'express'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { FRAMES_MAX, IDS_MAX } from '../../api/http/param-schemas.js'
import { readQuery, type Query } from '../../api/http/query.js'
import { frameIdsOf } from '../ask/place.js'
import { newSpendingId, requestIdOf } from '../ask/spending-form.js'
import { queryOf, viewOf, type Pick as Place } from '../map/view.js'
import { countText } from '../shell/amounts.js'
import { choice } from '../shell/components.js'
import { drawerPart, isForDrawer } from '../shell/show-sql.js'
import { textField, textFields } from '../shell/form.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { personAuthority, purseText } from '../shell/person-authority.js'
import { badAddress, badForm } from '../shell/refusals.js'
import { sendHtml, sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { chargeCall, quoteCall, refundCall } from '../../core/credits/charging.js'
import { charge } from '../../core/credits/ledger.js'
import { datasetsWithRecords, pricedOn, recordsOn, type FrameRecords } from '../../core/datasets/records.js'
import { visibleDatasets } from '../../core/datasets/visible.js'
import { withDeadline } from '../../core/db/connect.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import {
  attributesOfDatasets,
  framesById,
  type DatasetRow,
  type AttributeEntry,
  type FrameRow,
} from '../../core/db/statements.js'
import type { Services } from '../../services.js'
import type { CsvCell } from '../../core/csv.js'
import { isFileNumber } from '../../core/decimal.js'
import type { FileColumn } from '../../core/geoparquet.js'
import type { Geometry } from '../../core/geometry.js'
import { UNIT_FIELDS } from '../../core/unit-fields.js'
import { sendCsv } from '../shell/csv.js'

export function takeRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const offer = await offerFor(services, req, req.context.asked)
    const page = takePage(req, offer)
    if (!isForDrawer(req)) return sendPage(res, page)
    const address = `${req.visit.place.app}/take${queryOf({ pick: offer.place })}`
    sendHtml(res, drawerPart(address, page.title, page.body))
  }
}

async function offerFor(services: Services, req: Request, query: Query): Promise<Offer & { reader: Reader }> {
  const place = viewOf(query).pick
  if (!place) throw badAddress('It names no frames, no box and no unit. Pick some on the map.')
  const { deadline } = req.context
  const reader = services.readerForRequest(deadline)
  const person = personAuthority(sessionOf(req))
  const [ids, visible] = await Promise.all([
    frameIdsOf(reader, place, FRAMES_MAX),
    visibleDatasets(withDeadline(services.authorityReader, deadline), reader, person),
  ])
  const free = visible.filter(({ price }) => price === null)
  const priced = ids && ids.length > 0 && ids.length <= IDS_MAX ? await pricedOn(reader, ids, visible) : []
  return { place, ids, free, priced, reader }
}

function takePage(req: Request, offer: Offer, faults: PageContent['faults'] = {}): PageContent {
  const { ids, place } = offer
  const map = `${req.visit.place.app}/map${queryOf({ pick: place })}`
  return {
    title: ids ? `Take along ${countText(ids.length, 'frame')}` : 'Too many frames for a file',
    section: '/map',
    faults,
    actions: html`<a class="button" href="${map}">Back to the map</a>`,
    body: ids === undefined ? tooMany : ids.length === 0 ? noFrame : takeForm(req, offer),
  }
}

const noFrame = html`<p>No frame of the index lies here.</p>`

const tooMany = html`<p>A file takes up to ${countText(FRAMES_MAX, 'frame')}. Pick an LGA, a ward or a smaller box.</p>
  <p class="quiet">
    <code>frames export</code> writes all frames of a state as GeoJSON, CSV or GeoParquet, with the key of a program.
  </p>`

/** The id of the form holds for one place. */
const sealedTake = (place: Place) => ({ frameIds: ['take'], question: queryOf({ pick: place }) })

export function takeFileRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const asked = textField(req, 'format')
    const format = FILE_FORMATS.find((each) => each === asked)
    if (!format) throw badForm('The format is CSV, GeoJSON or GeoParquet.')
    const offer = await offerFor(services, req, readQuery(textField(req, 'place').replace(/^\?/, '')))
    const { ids, free, priced, reader, place } = offer
    if (!ids || ids.length === 0) return sendPage(res, takePage(req, offer))
    const named = textFields(req, 'dataset')
    const [chosen, paid] = [free, priced].map((some) => some.filter(({ layerId }) => named.includes(layerId)))
    const file = { reader, format, ids, name: `frames-${ids.length}`, datasets: chosen ?? [] }
    if (!paid || paid.length === 0) return await sendFile(res, file)
    const requestId = requestIdOf(sessionOf(req), sealedTake(place), textField(req, 'request'))
    if (requestId === undefined) return refuseTake(res, offer, 'This form is older than an hour. Nothing was spent.')
    await sendPaid(services, res, { file, offer, paid, requestId })
  }
}

type PaidFile = { file: Parameters<typeof sendFile>[1]; offer: Offer; paid: DatasetRow[]; requestId: string }

/** Nothing is charged unless all is: a file without a dataset that was chosen would surprise. */
async function sendPaid(services: Services, res: Response, { file, offer, paid, requestId }: PaidFile): Promise<void> {
  const { req } = res
  const { ledger, metrics } = services
  const person = personAuthority(sessionOf(req))
  const datasets = [...file.datasets, ...paid]
  const records = await recordsOn(file.reader, file.ids, datasets)
  const contributing = datasetsWithRecords(records, paid)
  const call = { caller: { ...person, deadline: req.context.deadline }, requestId }
  // The same form may come again: what it paid for then, it has.
  const paidBefore = await charge(ledger.db, call.caller, requestId, [])
  if (paidBefore.length > 0 && contributing.some(({ layerId }) => !paidBefore.includes(layerId)))
    return refuseTake(res, offer, 'This form paid for other datasets. Open it again for more: nothing was charged now.')
  if (paidBefore.length === 0) {
    const left = req.visit.purse?.leftToday ?? Infinity
    const { price, leftOut } = await quoteCall(
      withDeadline(ledger.db, req.context.deadline),
      person.orgId,
      contributing,
    )
    if (leftOut.length > 0 || price.credits > left)
      return refuseTake(res, offer, `The credits do not cover it. ${purseText(req.visit)}`)
  }
  const bill = await chargeCall(ledger, call, contributing)
  if (bill.leftOut.length > 0) {
    refundCall(ledger, call, bill)
    return refuseTake(res, offer, 'The credits were spent meanwhile, so nothing is charged.')
  }
  metrics.countCharges(bill, contributing)
  await sendFile(res, { ...file, datasets, records })
}

function refuseTake(res: Response, offer: Offer, message: string): void {
  res.status(422)
  sendPage(res, takePage(res.req, offer, { datasets: message }))
}

type Offer = {
  place: Place
  /** Undefined where there are more than a file takes. */
  ids: string[] | undefined
  free: DatasetRow[]
  /** These cost, and record something here; none where there are more frames than a call takes. */
  priced: DatasetRow[]
}

const takeForm = (req: Request, { place, ids = [], free, priced }: Offer): Html =>
  html`<form class="form sheet" method="post" action="${req.visit.place.app}/take">
    <input type="hidden" name="place" value="${queryOf({ pick: place })}" />
    <input type="hidden" name="request" value="${newSpendingId(sessionOf(req), sealedTake(place))}" />
    <fieldset>
      <legend>Format</legend>
      ${format('csv', 'CSV, for tables: a row for each frame, with its corners')}
      ${format('geojson', 'GeoJSON, for maps: an outline for each frame')}
      ${format('parquet', 'GeoParquet, for analysis: the same with a type for each column')}
    </fieldset>
    <fieldset id="datasets">
      <legend>Datasets</legend>
      ${free.map((each) => datasetChoice(each, html`free`, true))}
      ${priced.map((each) => datasetChoice(each, html`<strong>${countText(each.price ?? 0, 'credit')}</strong>`, false))}
      ${priced.length > 0 && html`<p class="hint">${purseText(req.visit)} The same form sent again costs nothing.</p>`}
      ${
        ids.length > IDS_MAX &&
        html`<p class="hint">
          A price is that of a call, which takes ${IDS_MAX} frames: datasets that cost are in files of so many.
        </p>`
      }
    </fieldset>
    <div class="actions"><button class="primary">Download</button></div>
  </form>`

const format = (value: FileFormat, label: string): Html =>
  choice({ type: 'radio', name: 'format', value, isChosen: value === 'csv' }, label)

const datasetChoice = ({ layerId, name, vintage }: DatasetRow, price: Html, isChosen: boolean): Html =>
  choice(
    { type: 'checkbox', name: 'dataset', value: layerId, isChosen },
    html`${name} <span class="quiet">${vintage}</span> ${price}`,
  )

const FILE_FORMATS = ['csv', 'geojson', 'parquet'] as const
type FileFormat = (typeof FILE_FORMATS)[number]

type FileOfFrames = {
  reader: Reader
  format: FileFormat
  name: string
  ids: readonly string[]
  datasets: readonly DatasetRow[]
  /** The records of all frames, read before the charge: a file that was paid for holds what was charged. */
  records?: readonly FrameRecords[]
}

/** As many as a call of the API takes. */
const AT_ONCE = 100

/** A value of a frame: of an attribute, or the number of features. `name` is such as "lyr_population.pop_demest26". */
type FileValue = { name: string; read: (records: FrameRecords) => string | number | null }

async function sendFile(res: Response, file: FileOfFrames): Promise<void> {
  const values = await fileValues(file)
  const pages = recordPages(file)
  if (file.format === 'csv') {
    const headings = ['frame_id', ...UNIT_FIELDS, 'west', 'south', 'east', 'north', ...values.map(({ name }) => name)]
    return await sendCsv(res, { name: `${file.name}.csv`, headings, pages: frameRows(pages, values) })
  }
  if (file.format === 'parquet') return await sendParquet(res, file.name, pages, values)
  await sendGeoJson(res, file.name, features(pages, values))
}

async function fileValues({ reader, datasets }: FileOfFrames): Promise<FileValue[]> {
  const layers = datasets.map(({ layerId }) => layerId)
  const entries = layers.length === 0 ? [] : await attributesOfDatasets(reader, layers)
  return datasets.flatMap((dataset, i): FileValue[] =>
    dataset.kind === 'frames'
      ? entries.filter(({ layer }) => layer === i + 1).map((entry) => attributeValue(dataset, entry))
      : [
          {
            name: `${dataset.layerId}.features`,
            read: ({ records }) => recordOf(records, dataset)?.features?.length ?? 0,
          },
        ],
  )
}

const recordOf = (records: FrameRecords['records'], { layerId }: DatasetRow) =>
  [...records].find(([dataset]) => dataset.layerId === layerId)?.[1]

const attributeValue = (dataset: DatasetRow, { name, type }: AttributeEntry): FileValue => ({
  name: `${dataset.layerId}.${name}`,
  read: ({ records }) => {
    const recorded = recordOf(records, dataset)?.values
    const value = recorded === undefined ? null : (JSON.parse(recorded) as Record<string, string | null>)[name]
    if (value === null || value === undefined || value.trim() === '') return null
    return type === 'number' && isFileNumber(value) ? Number(value) : value
  },
})

type FrameOfFile = { frame: FrameRow; records: FrameRecords }

async function* recordPages({ reader, ids, datasets, records }: FileOfFrames): AsyncGenerator<FrameOfFile[]> {
  const known = new Map(records?.map((each) => [each.id, each]))
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const [frames, read] = await Promise.all([
      framesById(reader, some),
      records ? [] : recordsOn(reader, some, datasets),
    ])
    for (const each of read) known.set(each.id, each)
    yield frames.flatMap((frame) => {
      const found = known.get(frame.id)
      return found ? [{ frame, records: found }] : []
    })
  }
}

async function* frameRows(
  pages: AsyncIterable<FrameOfFile[]>,
  values: readonly FileValue[],
): AsyncGenerator<CsvCell[][]> {
  for await (const page of pages)
    yield page.map(({ frame, records }) => [
      frame.id,
      ...UNIT_FIELDS.map((field) => frame[field]),
      ...(JSON.parse(frame.bbox) as number[]),
      ...values.map(({ read }) => read(records)),
    ])
}

async function* features(pages: AsyncIterable<FrameOfFile[]>, values: readonly FileValue[]): AsyncGenerator<string> {
  for await (const page of pages)
    yield page
      .map(({ frame, records }) => {
        const units = UNIT_FIELDS.map((field) => [field, frame[field]])
        const properties = Object.fromEntries([
          ...units,
          ...values.map(({ name, read }) => [name, read(records)]),
        ]) as object
        return `{"type":"Feature","id":${JSON.stringify(frame.id)},"geometry":${frame.geometry},"properties":${JSON.stringify(properties)}}`
      })
      .join(',\n')
}

type OutlinedFrame = FrameOfFile & { id: string; geometry: Geometry }

/** A file of this format ends with a list of its parts: the frames, 5,000 at most, stay in memory until then. */
async function sendParquet(
  res: Response,
  name: string,
  pages: AsyncIterable<FrameOfFile[]>,
  values: readonly FileValue[],
): Promise<void> {
  const frames: OutlinedFrame[] = []
  for await (const page of pages)
    for (const each of page)
      frames.push({ ...each, id: each.frame.id, geometry: JSON.parse(each.frame.geometry) as Geometry })
  // Few people ask for such a file: a service without them does not load the writer.
  const [{ ByteWriter }, { writeGeoParquet }] = await Promise.all([
    import('hyparquet-writer'),
    import('../../core/geoparquet.js'),
  ])
  const file = new ByteWriter()
  await writeGeoParquet(file, Readable.from(frames), [
    ...UNIT_FIELDS.map((field): FileColumn<OutlinedFrame> => ({
      name: field,
      type: 'text',
      read: ({ frame }) => frame[field],
    })),
    ...values.map((value) => parquetColumn(value, frames)),
  ])
  res.set({
    'Content-Type': 'application/vnd.apache.parquet',
    'Content-Disposition': `attachment; filename="${name}.parquet"`,
  })
  res.end(Buffer.from(file.getBytes()))
}

/** One text among the values makes a column of texts. */
function parquetColumn({ name, read }: FileValue, frames: readonly OutlinedFrame[]): FileColumn<OutlinedFrame> {
  const isText = frames.some(({ records }) => typeof read(records) === 'string')
  return { name, type: isText ? 'text' : 'number', read: ({ records }) => read(records)?.toString() ?? null }
}

/** The first page is read before anything is sent, so that a fault of the database still has a page of its own. */
async function sendGeoJson(res: Response, name: string, texts: AsyncGenerator<string>): Promise<void> {
  let text = await texts.next()
  res.set({
    'Content-Type': 'application/geo+json; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.geojson"`,
  })
  res.write('{"type":"FeatureCollection","features":[\n')
  for (let isFirst = true; text.done !== true && !res.destroyed; isFirst = false) {
    const piece = isFirst ? text.value : `,\n${text.value}`
    if (!res.write(piece)) await Promise.race([once(res, 'drain'), once(res, 'close')])
    text = await texts.next()
  }
  res.end('\n]}\n')
}
