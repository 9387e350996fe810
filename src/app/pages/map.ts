/** GET /app/map: draws the map, what was picked on it, and a table of what it colours. The address holds all of it. */
import type { Request, RequestHandler } from 'express'
import { type Corners, cornersOf, type Place, type UnitPath } from '../../core/place.js'
import { decode } from '../../api/http/query.js'
import type { Services } from '../../services.js'
import { assetPath, mapModules, mapScripts, mapWorker } from '../shell/assets.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { boxPanel, shapePanel, framesPanel } from '../map/frames-panel.js'
import { changeOnMap } from '../map/change.js'
import { mapLink, readMapData, type MapData } from '../map/data.js'
import { featurePanel, framePanel } from '../map/frame-panel.js'
import { firstLevel, skeletons } from '../map/first-view.js'
import { besideLegend, legendSection } from '../map/legend.js'
import {
  isPartOfMap,
  answerOnMap,
  questionPart,
  takesQuestion,
  tooManyFramesNote,
  type AnswerOnMap,
} from '../ask/question.js'
import type { Panel } from '../map/panel.js'
import { searchAnswer, unitNamed } from '../map/results-panel.js'
import { extentOfIndex } from '../map/statements.js'
import { boxForm, shapeBar, shapeForm, toolbar } from '../map/toolbar.js'
import { twinSection } from '../map/twin.js'
import { countryPanel, unitPanel } from '../map/unit-panel.js'
import { isShapeWrittenOtherwise, withShape } from '../map/shape.js'
import { colourChoice, queryOf, readableView, viewOf, type ColourChoice, type MapView } from '../map/view.js'
import { recordStatements } from '../map/recorded-statements.js'
import { sendHtml, sendPage } from '../shell/send-page.js'
import { showSql, type NamedStatement, type OtherWays } from '../shell/show-sql.js'
import { framesFrom } from '../tiles/address.js'

export function mapRoute(services: Services): RequestHandler {
  const skeletonOf = skeletons()
  return async (req, res) => {
    const chosen = colourChosen(req)
    if (chosen)
      return res.redirect(303, `${req.visit.place.app}/map${queryOf({ ...viewOf(req.context.asked), ...chosen })}`)
    const typed = readableView(req.context.asked)
    const read = typed.misread ? typed : await withShape(services.readerForRequest(req.context.deadline), typed.view)
    const data = await readMapData(services, req, read)
    if (read.misread) {
      res.status(400)
      services.metrics.count('frames_console_refusals_total', { reason: 'address' })
    }
    const isPart = isPartOfMap(req)
    const leadTo = (change: Partial<MapView>) => {
      const link = mapLink(data, change)
      res.redirect(303, isPart ? `${link}&part=panel` : link)
    }
    if (isShapeWrittenOtherwise(typed.view, data.view)) return leadTo(data.view)
    const { reader, statements } = recordStatements(data.reader)
    const recorded = { ...data, reader }
    const answer = data.view.search === undefined ? undefined : await searchAnswer(recorded, data.view.search)
    if (answer && 'found' in answer) return leadTo({ ...answer.found, camera: data.view.camera ?? answer.found.camera })
    const panel = answer?.panel ?? (await pickedPanel(recorded))
    const folded = panel.isUnknown && (await unitWrittenOtherwise(data))
    if (folded) return leadTo({ ...data.view, pick: { unit: folded } })
    const asked = takesQuestion(panel) ? await answerOnMap(services, res, data) : undefined
    if (asked && 'fault' in asked) res.status(422)
    const extent = isPart ? undefined : await readExtent(data)
    // A place that was picked, or an address with a place, is not the whole index.
    const isWhole = extent !== undefined && panel.corners === undefined && data.view.camera === undefined
    const [parts, skeleton] = await Promise.all([
      partsOf(req, data, { panel, asked, statements, extent }),
      isWhole && skeletonOf(data.reader),
    ])
    // The script of the page asks for the parts that change, and puts them in place of the old ones.
    if (extent) {
      const page = mapPage(data, { ...parts, skeleton }, attributesOfMap(extent))
      sendPage(res, { ...page, isRefused: res.statusCode >= 400 })
    } else sendHtml(res, html`${parts.legend}${parts.beside}${parts.side}`)
  }
}

/** The form of colours sends "lyr_population pop_demest26". */
function colourChosen({ context: { asked } }: Request): ColourChoice | undefined {
  const text = decode((asked.get('colour')?.[0] ?? '').replaceAll('+', ' '))
  return text === '' ? undefined : colourChoice('colour', text ?? '')
}

async function pickedPanel(data: MapData): Promise<Panel> {
  const { pick, feature } = data.view
  if (feature) return await featurePanel(data, feature)
  if (pick === undefined) return await countryPanel(data)
  if ('unit' in pick) return await unitPanel(data, pick.unit)
  if ('box' in pick) return await boxPanel(data, pick.box)
  if ('shape' in pick) return await shapePanel(data, pick.shape)
  const [id, ...more] = pick.frames
  return id !== undefined && more.length === 0 ? await framePanel(data, id) : await framesPanel(data, pick.frames)
}

/** The address of a unit folds accents, hyphens and case, as the search does. */
async function unitWrittenOtherwise(data: MapData): Promise<UnitPath | undefined> {
  const { pick } = data.view
  return pick && 'unit' in pick ? await unitNamed(data, pick.unit) : undefined
}

type PageParts = { legend: Html; beside: Html; side: Html }
type WholePage = PageParts & { skeleton: Html | false }

/** The extent is that of the whole index, for a whole page. */
type ShownMap = {
  panel: Panel
  asked: AnswerOnMap
  statements: readonly NamedStatement[]
  extent: WholeExtent | undefined
}

async function partsOf(req: Request, data: MapData, shown: ShownMap): Promise<PageParts> {
  const { panel, extent } = shown
  const first = extent && firstLevel(data, panel.corners ?? extent.corners, extent.framesFrom)
  const [legend, beside, twin] = await Promise.all([
    legendSection(data, first),
    besideLegend(data, first),
    panel.isUnknown ? html`<section id="twin"></section>` : twinSection(req, data),
  ])
  const side = html`<div id="side">
    ${misreadNote(data)} ${panelSection(req, data, shown)} ${twin} ${moreSection(panel)}
  </div>`
  return { legend, beside, side }
}

const misreadNote = ({ misread }: MapData): Html | false =>
  misread !== undefined &&
  html`<p class="notice warn" role="alert">
    ${misread.box !== undefined ? 'This box' : misread.shape !== undefined ? 'This shape' : 'This address'} cannot be
    read. ${misread.fault}
  </p>`

function panelSection(req: Request, data: MapData, { panel, asked, statements }: ShownMap): Html {
  const { title, corners, outlines, unit, body, ways } = panel
  const isPicked = data.view.pick !== undefined || data.view.feature !== undefined || data.view.search !== undefined
  return html`<section
    id="panel"
    aria-labelledby="panel-title"
    data-corners="${corners?.join(',')}"
    data-outlines="[${(outlines ?? []).join(',')}]"
    data-unit="${JSON.stringify(unit ?? {})}"
  >
    <div class="head">
      <h2 id="panel-title" tabindex="-1">${title}</h2>
      <div class="actions">
        ${data.view.pick && !panel.isUnknown && panel.frames !== 0 && html`<a href="${takeAddress(data, data.view.pick)}" data-drawer>Take along</a>`}
        ${(unit ?? !isPicked) && html`<a href="${placeAddress(data)}">Page to print</a>`}
        ${isPicked && html`<a href="${mapLink(data, {})}">Whole index</a>`}
      </div>
    </div>
    ${(corners ?? !isPicked) && data.view.search === undefined && questionOrNote(data, panel, asked)} ${body}
    ${statements.length > 0 && showSql(req, { of: 'panel', subject: title, statements, ...known(ways) })}
  </section>`
}

const placeAddress = ({ path, view: { pick, dataset, attribute } }: MapData): string =>
  path.replace(/map$/, 'place') + queryOf({ pick, dataset, attribute })

const takeAddress = ({ path }: MapData, pick: Place): string => path.replace(/map$/, 'take') + queryOf({ pick })

const questionOrNote = (data: MapData, panel: Panel, asked: AnswerOnMap): Html | false =>
  takesQuestion(panel) ? questionPart(data, asked, panel.frames) : panel.frames !== 0 && tooManyFramesNote

const known = (ways: OtherWays | undefined): OtherWays => {
  if (!ways) throw new Error('A panel that reads says how a program gets the same.')
  return ways
}

const moreSection = ({ more }: Panel) => more && html`<section aria-label="More">${more}</section>`

type WholeExtent = { corners: Corners | undefined; framesFrom: number; isGrid: boolean }

async function readExtent({ reader }: MapData): Promise<WholeExtent> {
  const [extent] = await extentOfIndex(reader)
  const { runs, isGrid } = extent ?? { runs: 0, isGrid: false }
  return { corners: cornersOf(extent), framesFrom: framesFrom({ runs, isGrid }), isGrid }
}

const attributesOfMap = ({ corners, framesFrom: from, isGrid }: WholeExtent): Html =>
  html`data-extent="${corners?.join(',')}" data-frames-from="${from}" ${isGrid && html`data-grid="yes"`}`

function mapPage(data: MapData, { legend, beside, side, skeleton }: WholePage, ofMap: Html): PageContent {
  const app = data.path.replace(/\/map$/, '')
  return {
    title: 'Map',
    section: '/map',
    isWide: true,
    skipTo: { id: 'map', label: 'Skip to the map' },
    styles: ['map.css'],
    scripts: mapScripts,
    preloads: mapModules,
    ahead: [mapWorker],
    actions: toolbar(data),
    body: html`<div class="map-page">
      <div class="map-area" aria-busy="true">
        <div class="map-window">
          <div id="map" tabindex="-1" data-app="${app}" data-worker="${app}${assetPath(mapWorker)}" ${ofMap}></div>
          ${skeleton}
          <div class="map-buttons">
            <button type="button" id="zoom-in" aria-label="Zoom in" title="Zoom in">+</button>
            <button type="button" id="zoom-out" aria-label="Zoom out" title="Zoom out">−</button>
            <button type="button" id="zoom-all" aria-label="Show the whole index" title="Show the whole index">
              ⤢
            </button>
            <button
              type="button"
              id="map-picture"
              aria-label="Save the map as a picture"
              title="Save the map as a picture"
              hidden
            >
              ⤓
            </button>
          </div>
          <div id="map-card" class="map-card" aria-hidden="true" hidden></div>
          ${shapeBar}
          <p id="map-note" role="status" hidden></p>
          <p id="map-cut" role="status" hidden></p>
          <p id="map-loading" role="status">Loading …</p>
          <p id="map-said" role="status"></p>
        </div>
        <div class="map-window" id="window-beside" ${(!data.view.beside || changeOnMap(data)) && html`hidden`}>
          <div id="map-beside"></div>
          <div id="card-beside" class="map-card" aria-hidden="true" hidden></div>
        </div>
      </div>
      <p class="map-missing quiet" id="map-missing" hidden>
        The map needs JavaScript and WebGL. The tables show the same values, and the search and the forms work.
      </p>
      <div class="map-side">${legend} ${beside} ${side} ${boxForm(data)} ${shapeForm(data)}</div>
    </div>`,
  }
}
