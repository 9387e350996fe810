/** GET /app/map: draws the map, what was picked on it, and a table of what it colours. The address holds all of it. */
import type { Request, RequestHandler } from 'express'
import { type Corners, cornersOf, type UnitPath } from '../../core/place.js'
import { decode } from '../../api/http/query.js'
import type { Services } from '../../services.js'
import { assetPath, mapModules, mapScripts, mapWorker } from '../shell/assets.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { boxPanel, shapePanel, framesPanel } from '../map/frames-panel.js'
import { insideText } from '../map/brush.js'
import { changeOnMap } from '../map/change.js'
import { mapLink, readMapData, type MapData } from '../map/data.js'
import { featurePanel, framePanel } from '../map/frame-panel.js'
import { firstLevel, skeletons } from '../map/first-view.js'
import { besideLegend, legendSection } from '../map/legend.js'
import {
  isPartOfMap,
  answerOnMap,
  answerPart,
  placeAsked,
  takesQuestion,
  tooManyFramesNote,
  type AnswerOnMap,
} from '../ask/question.js'
import type { Panel } from '../map/panel.js'
import { searchAnswer, unitNamed } from '../map/results-panel.js'
import { extentOfIndex } from '../map/statements.js'
import { askField, askLabel, baseChoice, boxForm, colourForm, shapeBar, shapeForm } from '../map/toolbar.js'
import { twinSection } from '../map/twin.js'
import { countryPanel, unitPanel } from '../map/unit-panel.js'
import { isShapeWrittenOtherwise, withShape } from '../map/shape.js'
import { colourChoice, queryOf, readableView, viewOf, type ColourChoice, type MapView } from '../map/view.js'
import { recordStatements } from '../map/recorded-statements.js'
import { sendHtml, sendPage } from '../shell/send-page.js'
import { showSql, type NamedStatement, type OtherWays } from '../shell/show-sql.js'
import type { Web } from '../shell/web.js'
import { framesFrom } from '../tiles/address.js'
import { baseCredit, baseSource } from '../tiles/base.js'
import type { TileFile } from '../basemap/tile-file.js'

export function mapRoute(services: Services, { basemap }: Pick<Web, 'basemap'>): RequestHandler {
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
    if (answer && 'found' in answer) return leadTo(answer.found)
    const panel = answer?.panel ?? (await pickedPanel(recorded))
    const folded = panel.isUnknown && (await unitWrittenOtherwise(data))
    if (folded) return leadTo({ ...data.view, pick: { unit: folded } })
    const asked = takesQuestion(panel) ? await answerOnMap(services, res, data) : undefined
    if (asked && 'fault' in asked) res.status(422)
    const filtered = { ...data, inside: await insideText(recorded) }
    const extent = isPart ? undefined : await readExtent(data)
    // A place that was picked, or an address with a place, is not the whole index.
    const isWhole = extent !== undefined && panel.corners === undefined && data.view.camera === undefined
    const [parts, skeleton] = await Promise.all([
      partsOf(req, filtered, { panel, asked, statements, extent }),
      isWhole && skeletonOf(data.reader),
    ])
    // The script of the page asks for the parts that change, and puts them in place of the old ones.
    if (extent) {
      const { file: base } = await basemap
      const shown = { ...parts, skeleton, base, about: aboutOf(data, panel) }
      const page = mapPage(data, shown, attributesOfMap(extent, base))
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
type WholePage = PageParts & { skeleton: Html | false; about: string | undefined; base: TileFile | undefined }

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
  const side = html`<div id="side" class="stack">
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
    data-ask="${askLabel(aboutOf(data, panel))}"
  >
    <div class="row apart">
      <h2 id="panel-title" tabindex="-1">${title}</h2>
      ${data.view.feature && data.view.pick ? html`<a href="${mapLink(data, { pick: data.view.pick })}">Back</a>` : isPicked && html`<a href="${mapLink(data, {})}">Whole index</a>`}
    </div>
    ${answerPart(asked)} ${filteredNote(data)} ${!takesQuestion(panel) && panel.frames !== 0 && tooManyFramesNote}
    ${panel.value}
    <p class="row">
      ${isTaken(data, panel) && html`<a href="${takeAddress(data, panel)}" data-drawer>Take along: download these frames</a>`}
      ${(unit ?? !isPicked) && html`<a href="${placeAddress(data)}">Page to print</a>`}
    </p>
    ${body} ${statements.length > 0 && showSql(req, { of: 'panel', subject: title, statements, ...known(ways) })}
  </section>`
}

/** The panel tells of all frames, whatever filter stands. */
const filteredNote = (data: MapData): Html | false =>
  data.inside !== undefined &&
  html`<p class="notice">
    Questions, files and statements are about the frames of ${data.view.where ? 'a condition' : 'the filter'}:
    ${data.inside} The figures below are of all frames.
    <a href="${data.path}${queryOf({ ...data.view, where: undefined, brush: undefined, question: undefined })}"
      >All frames</a
    >
  </p>`

const placeAddress = ({ path, view: { pick, dataset, attribute } }: MapData): string =>
  path.replace(/map$/, 'place') + queryOf({ pick, dataset, attribute })

const isTaken = ({ view }: MapData, { isUnknown, frames, taken }: Panel): boolean =>
  view.feature
    ? taken !== undefined && taken.length > 0
    : (view.pick ?? view.brush ?? view.where) !== undefined && !isUnknown && frames !== 0

function takeAddress({ path, view: { pick = { unit: [] }, brush, where }, colour }: MapData, { taken }: Panel): string {
  const chosen = colour && { dataset: colour.dataset.layerId, attribute: colour.attribute.name }
  const frames = taken ? { pick: { frames: taken } } : { pick, where, brush }
  return path.replace(/map$/, 'take') + queryOf({ ...frames, ...chosen })
}

const aboutOf = ({ view }: MapData, panel: Panel): string | undefined =>
  takesQuestion(panel) &&
  !view.feature &&
  (panel.corners !== undefined || view.pick === undefined) &&
  view.search === undefined
    ? placeAsked(view, panel.frames)
    : undefined

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

const attributesOfMap = ({ corners, framesFrom: from, isGrid }: WholeExtent, base: TileFile | undefined): Html =>
  html`data-extent="${corners?.join(',')}" data-frames-from="${from}" ${base && html`data-base="${baseSource(base)}"`}
  ${isGrid && html`data-grid="yes"`}`

function mapPage(data: MapData, { legend, beside, side, skeleton, about, base }: WholePage, ofMap: Html): PageContent {
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
    bar: askField(data, about),
    body: html`<div class="map-page">
      <div class="map-area" aria-busy="true">
        <div class="map-window">
          <div id="map" tabindex="-1" data-app="${app}" data-worker="${app}${assetPath(mapWorker)}" ${ofMap}></div>
          ${skeleton}
          <div class="map-buttons stack">
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
              <span class="small">Picture</span>
            </button>
          </div>
          <div id="map-card" class="map-card" aria-hidden="true" hidden></div>
          ${shapeBar} ${base && html`<p class="map-credit">${baseCredit(base)}</p>`}
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
      <p class="map-missing notice" id="map-missing" hidden>
        The map needs JavaScript and WebGL. The tables show the same values, and the search and the forms work.
      </p>
      <div class="map-key panel small stack">${colourForm(data)} ${base && baseChoice(data)} ${legend} ${beside}</div>
      <div class="map-side stack">
        <button type="button" id="sheet" aria-label="Show more or less of the panel" hidden></button>
        ${side} ${boxForm(data)} ${shapeForm(data)}
      </div>
    </div>`,
  }
}
