/** A panel tells about what was picked: a frame, a unit or a box. */
import { html, type Html } from '../shell/html.js'
import type { Corners } from '../../core/place.js'
import type { UnitNames } from './rows.js'
import type { OtherWays } from '../shell/show-sql.js'
import type { MapData } from './data.js'
import { priceText } from './words.js'

export type Panel = {
  title: string
  /** The map shows this area, unless the address says where the map is. */
  corners?: Corners | undefined
  /** The map draws these outlines: geometries in JSON. */
  outlines?: readonly string[]
  /** The map draws the outline of this unit. */
  unit?: UnitNames
  /** A list of frames has so many, and a place without frames none. Undefined: totals answer a question about it. */
  frames?: number
  /** A file takes these frames along, in place of what is picked. */
  taken?: readonly string[]
  /** The index has no such unit, so that the page shows no table of the units below it. */
  isUnknown?: boolean
  /** How a program gets the same. Undefined where the panel read nothing, and so has no statement. */
  ways: OtherWays | undefined
  /** The value that the map is coloured by comes before all else. */
  value?: Html | false
  body: Html
  /** This stands below the table of units. A panel without it stands above them whole. */
  more?: Html
}

/** Names what the panel did not read, and its price. */
export const pricedNote = ({ priced }: MapData): Html | false =>
  priced.length > 0 &&
  html`<p class="quiet">
    Not read, since reading costs credits:
    ${priced.map(({ name, price }) => `${name} (${priceText(price ?? 0)})`).join(', ')}.
  </p>`
