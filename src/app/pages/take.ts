/**
 * GET /app/take: offers the frames that were picked, or those of a box or a unit, as a file, with the price first. POST
 * /app/take sends the file. A dataset that costs is charged as a call of the API is, once for each form.
 */
import type { Request, RequestHandler, Response } from 'express'
import { type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import { FRAMES_MAX, IDS_MAX } from '../../core/parameters.js'
import { type Query, readQuery } from '../../api/http/query.js'
import { frameIdsOf, lackingNote } from '../ask/place.js'
import { newSpendingId, payByForm, requestIdOf } from '../ask/spending-form.js'
import { filterOfBrush } from '../map/brush.js'
import { refuseOthers } from '../map/data.js'
import { type MapView, queryOf, viewOf } from '../map/view.js'
import type { Place } from '../../core/place.js'
import { countText } from '../shell/amounts.js'
import { choice } from '../shell/components.js'
import { drawerPart, isForDrawer } from '../shell/show-sql.js'
import { textField, textFields } from '../shell/form.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { personAuthority, purseText } from '../shell/person-authority.js'
import { badAddress, badForm, noDatasetPage } from '../shell/refusals.js'
import { sendHtml, sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { pricedOn, visibleDatasets } from '../../core/datasets/index.js'
import type { Services } from '../../services.js'
import { datasetsRecording, FILE_FORMATS, type FileFormat, makeFile, readFrames, tableFor } from './take-file.js'

export function takeRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const offer = await offerFor(services, req, req.context.asked)
    const page = takePage(req, offer)
    if (!isForDrawer(req)) return sendPage(res, page)
    const address = `${req.visit.place.app}/take${queryOf(offer.view)}`
    sendHtml(res, drawerPart(address, page.title, page.body))
  }
}

async function offerFor(services: Services, req: Request, query: Query): Promise<Offer & { reader: Reader }> {
  const { pick, brush, dataset, attribute, where: condition } = viewOf(query)
  // The whole index has no parameters, and too many frames unless they are filtered.
  const place = pick ?? ((brush ?? condition) && { unit: [] })
  if (!place) throw badAddress('It names no frames, no box and no unit. Pick some on the map.')
  const { deadline } = req.context
  const reader = services.readerForRequest(deadline)
  const person = personAuthority(sessionOf(req))
  const visible = await visibleDatasets(withDeadline(services.authorityReader, deadline), reader, person)
  const free = visible.filter(({ price }) => price === null)
  const isFiltered = brush !== undefined && dataset !== undefined && attribute !== undefined
  if (isFiltered && !free.some(({ layerId }) => layerId === dataset)) throw noDatasetPage(dataset)
  refuseOthers({ where: condition }, free)
  const filters = [condition, isFiltered && filterOfBrush(brush, dataset, attribute)].flatMap((each) => each || [])
  const where = filters.length > 1 ? { all: filters } : filters[0]
  const ids = await frameIdsOf(reader, place, { most: FRAMES_MAX, where })
  const priced = ids && ids.length > 0 && ids.length <= IDS_MAX ? await pricedOn(reader, ids, visible) : []
  const costs = visible.some(({ price }) => price !== null)
  const view = { pick, where: condition, dataset, attribute, ...(isFiltered && { brush }) }
  return { place, view, ids, free, priced, costs, reader }
}

function takePage(req: Request, offer: Offer, faults: PageContent['faults'] = {}): PageContent {
  const { ids, place, view } = offer
  const map = `${req.visit.place.app}/map${queryOf(view)}`
  return {
    title: ids ? `Take along: download ${countText(ids.length, 'frame')}` : 'Too many frames for a file',
    section: '/map',
    faults,
    actions: html`<a class="button" href="${map}">Back to the map</a>`,
    body: html`${ids && lackingNote(req.visit.place.app, place, ids)}
    ${ids ? ids.length > 0 && takeForm(req, offer) : tooMany}`,
  }
}

const tooMany = html`<p>A file takes up to ${countText(FRAMES_MAX, 'frame')}. Pick an LGA, a ward or a smaller box.</p>
  <p class="quiet">
    <code>frames export</code> writes all frames of a state in the same formats, with the key of a program.
  </p>`

/** The id of the form holds for the frames of one place that pass one filter. */
const toTake = (view: MapView): string => `take ${queryOf(view)}`

export function takeFileRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const asked = textField(req, 'format')
    const format = FILE_FORMATS.find((each) => each === asked)
    if (!format) throw badForm('The format is CSV, GeoJSON, GeoPackage or GeoParquet.')
    const offer = await offerFor(services, req, readQuery(textField(req, 'place').replace(/^\?/, '')))
    const { ids, free, priced, reader, view } = offer
    if (!ids || ids.length === 0) return sendPage(res, takePage(req, offer))
    const named = textFields(req, 'dataset')
    const datasets = [...free, ...priced].filter(({ layerId }) => named.includes(layerId))
    const paid = datasets.filter((dataset) => priced.includes(dataset))
    const requestId = paid.length === 0 ? '' : requestIdOf(sessionOf(req), toTake(view), textField(req, 'request'))
    if (requestId === undefined) return refuseTake(res, offer, 'This form is older than an hour. Nothing was spent.')
    // The file is made before the charge: one that was paid for holds what was charged.
    const frames = await readFrames(reader, ids, datasets)
    const send = await makeFile(format, { frames, table: await tableFor(reader, frames, datasets) })
    const contributing = datasetsRecording(frames, datasets).filter((dataset) => priced.includes(dataset))
    const refusal =
      contributing.length > 0 &&
      (await payByForm(services, req, { contributing, requestId, deadline: req.context.deadline }))
    if (refusal) return refuseTake(res, offer, refusal)
    await send(res)
  }
}

function refuseTake(res: Response, offer: Offer, message: string): void {
  res.status(422)
  sendPage(res, takePage(res.req, offer, { datasets: message }))
}

type Offer = {
  place: Place
  view: MapView
  /** Undefined where there are more than a file takes. */
  ids: string[] | undefined
  free: DatasetRow[]
  /** These cost, and record something here; none where there are more frames than a call takes. */
  priced: DatasetRow[]
  /** The organisation can read some that cost. */
  costs: boolean
}

function takeForm(req: Request, { view, ids = [], free, priced, costs }: Offer): Html {
  // The dataset that colours the map, or filters it.
  const coloured = free.find(({ layerId }) => layerId === view.dataset)
  return html`<form
    class="form sheet"
    method="post"
    action="${req.visit.place.app}/take"
    data-saved="frames-${ids.length}"
  >
    <input type="hidden" name="place" value="${queryOf(view)}" />
    <input type="hidden" name="request" value="${newSpendingId(sessionOf(req), toTake(view))}" />
    <fieldset>
      <legend>Format</legend>
      ${format('csv', 'CSV, for tables: a row for each frame, with its corners')}
      ${format('geojson', 'GeoJSON, for maps: an outline for each frame')}
      ${format('gpkg', 'GeoPackage, for GIS programs: a layer of outlines with a type for each column')}
      ${format('parquet', 'GeoParquet, for analysis: the same, stored by column')}
    </fieldset>
    <fieldset id="datasets">
      <legend>Datasets</legend>
      ${free.map((each) => datasetChoice(each, html`free`, coloured === undefined || each === coloured))}
      ${priced.map((each) => datasetChoice(each, html`<strong>${countText(each.price ?? 0, 'credit')}</strong>`, false))}
      ${priced.length > 0 && html`<p class="hint">${purseText(req.visit)} The same form sent again costs nothing.</p>`}
      ${
        costs &&
        ids.length > IDS_MAX &&
        html`<p class="hint">
          Datasets that cost credits are not listed: a price buys at most ${IDS_MAX} frames. Pick fewer for them.
        </p>`
      }
    </fieldset>
    <div class="row"><button class="primary">Download</button></div>
    <p role="status"></p>
  </form>`
}

const format = (value: FileFormat, label: string): Html =>
  choice({ type: 'radio', name: 'format', value, isChosen: value === 'csv' }, label)

const datasetChoice = ({ layerId, name, vintage }: DatasetRow, price: Html, isChosen: boolean): Html =>
  choice(
    { type: 'checkbox', name: 'dataset', value: layerId, isChosen },
    html`${name} <span class="quiet">${vintage}</span> ${price}`,
  )
