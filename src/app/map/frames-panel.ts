/** Draws the panel of several frames: those that a link names, those of a box, and those of a shape. */
import { figuresOfFrames, framesById } from '../../core/db/statements.js'
import type { Reader } from '../../core/db/index.js'
import type { Profile } from '../../core/figures/index.js'
import { isFrameId } from '../../core/frame-id.js'
import { factList } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { chosenOfTotals } from './chosen-value.js'
import type { MapData } from './data.js'
import { waysToPlace } from './other-ways.js'
import { type Panel, pricedNote } from './panel.js'
import { placeProfile, totalsTable } from './totals.js'
import { cornersInWords, count, frameLink, noFrameText, valueText } from './words.js'
import { NO_BOUNDS, ringOf, union } from '../../core/geometry.js'
import { placeName } from '../../core/place-name.js'
import { type Corners, setOf } from '../../core/place.js'
import { pageInPlace } from '../../core/place-reads.js'
import { cornersOfShape, shapeOutline } from './shape.js'
import { framesOfBox } from './statements.js'

/** The panel lists as many frames. */
const FRAMES_LISTED = 100

export async function framesPanel(data: MapData, ids: readonly string[]): Promise<Panel> {
  const known = await framesById(data.reader, ids.filter(isFrameId))
  const corners = known.map(({ bbox }) => JSON.parse(bbox) as Corners).reduce(union, NO_BOUNDS)
  const found = known.map(({ id }) => id)
  const unknown = ids.filter((id) => !found.includes(id))
  const profile = await placeProfile(data, found)
  return {
    title: count(known.length, 'frame', 'frames'),
    ...(known.length > 0 && { corners }),
    outlines: known.map(({ geometry }) => geometry),
    frames: found.length,
    ways: waysToPlace({ frames: found.length > 0 ? found : ids }, layerIdsOf(data.free)),
    value: chosenOfTotals(data, profile),
    body: html`${unknown.length > 0 && html`<p class="notice warn">${noFrameText(unknown)}</p>`}
    ${profile && (await profileBody(data, profile, { ids: found }))}`,
  }
}

const layerIdsOf = (some: MapData['free']) => some.map(({ layerId }) => layerId)

const frameList = (data: MapData, ids: readonly string[]): Html =>
  html`<details class="fold" ${ids.length <= 12 && html`open`}>
    <summary>Frames</summary>
    <p class="ids">
      ${ids
        .toSorted()
        .slice(0, FRAMES_LISTED)
        .map((id) => html`${frameLink(data, id)} `)}
    </p>
    ${ids.length > FRAMES_LISTED && html`<p class="quiet">The first ${FRAMES_LISTED} of ${ids.length.toLocaleString('en')}.</p>`}
  </details>`

const lgasText = (lgas: readonly string[] | null): string => {
  if (lgas === null) return 'not assigned'
  const names = lgas.slice(0, 5).map(placeName).join('; ')
  return lgas.length > 5 ? `${names} and ${lgas.length - 5} more LGAs` : names
}

/** The panel names the units of as many frames, and lists the first of them. */
const FRAMES_NAMED = 2000

export const boxPanel = (data: MapData, box: Corners): Promise<Panel> =>
  areaPanel(data, setOf({ box }), {
    panel: {
      title: 'Box',
      corners: box,
      outlines: [JSON.stringify({ type: 'Polygon', coordinates: [ringOf(box)] })],
      ways: waysToPlace({ box }),
    },
    lead: html`<p><code>${cornersInWords(box)}</code></p>`,
    readIds: () => idsInBox(data, box),
  })

export const shapePanel = (data: MapData, shape: string): Promise<Panel> =>
  areaPanel(data, setOf({ shape }), {
    panel: {
      title: 'Shape',
      corners: cornersOfShape(shape),
      outlines: [shapeOutline(shape)],
      ways: waysToPlace({ shape }),
    },
    isShape: true,
    readIds: async () => {
      const { features } = await pageInPlace(data.reader, { shape }, FRAMES_NAMED)
      return idsOfFeatures(data.reader, features)
    },
  })

type AreaShown = { panel: Omit<Panel, 'body'>; lead?: Html; isShape?: boolean; readIds: () => Promise<string[]> }

async function areaPanel(data: MapData, area: string[], shown: AreaShown): Promise<Panel> {
  const { panel, lead, isShape = false, readIds } = shown
  const profile = await placeProfile(data, area)
  if (!profile)
    return {
      ...panel,
      frames: 0,
      body: html`${lead}
        <p class="quiet">No frame of the index lies here.</p>`,
    }
  const ids = profile.frames > FRAMES_NAMED ? [] : await readIds()
  const note = isShape ? SHAPE_NOTE : blocksNote(profile)
  return {
    ...panel,
    value: chosenOfTotals(data, profile),
    body: html`${lead} ${await profileBody(data, profile, { ids, note, isShape })}`,
  }
}

type BodyShown = { ids: string[]; note?: Html | false; isShape?: boolean }

async function profileBody(data: MapData, profile: Profile, { ids, note, isShape }: BodyShown): Promise<Html> {
  const [named] = ids.length === 0 ? [] : await figuresOfFrames(data.reader, ids)
  const { frames, km2, km2Inside } = profile
  const inside = isShape && km2Inside !== null ? `; ${valueText(km2Inside, 'km²')} inside` : ''
  return html`
    ${factList([
      ['Size', `${count(frames, 'frame', 'frames')}, ${valueText(km2, 'km²')}${inside}`],
      ['Units', named && lgasText(named.lgas)],
    ])}
    ${note} ${totalsTable(profile, [], isShape)} ${pricedNote(data)} ${ids.length > 0 && frameList(data, ids)}
  `
}

const SHAPE_NOTE = html`<p class="quiet">
  “Whole frames” adds up every frame that touches the shape. “By area” takes of each frame the share that lies inside,
  and counts the features that touch the shape itself.
</p>`

const blocksNote = ({ units, inUnits, cutFrames }: Profile): Html | false =>
  units > 0 &&
  html`<p class="quiet">
    Added up from ${count(units, 'block', 'blocks')} of 0.1° that lie wholly inside, with
    ${count(inUnits, 'frame', 'frames')}, and from ${count(cutFrames, 'frame', 'frames')} around them.
  </p>`

async function idsInBox({ reader }: MapData, box: Corners): Promise<string[]> {
  const found = await framesOfBox(reader, ...box, FRAMES_NAMED)
  // Ids in their order have runs, which take little of an address.
  return found.map(({ id }) => id).toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
}

/** Reads the ids of a page of frames, in their order. */
export function idsOfFeatures(reader: Reader, features: Buffer): string[] {
  const ids = Array.from(features.toString().matchAll(/"type":"Feature","id":"(\d+)"/g), ([, id = '']) => id)
  reader.release(features)
  return ids
}
