/** The reads of this room, with the types of their parameters and rows. `npm run schema` writes this file. */
import { statement } from '../../core/db/index.js'

export const featuresOfTile = statement<[z: number, x: number, y: number, layers: string[], most: number, met: number], { dataset: string; no: number; id: string; shape: Buffer | null; cut: number | null }>('tiles/features_of_tile')
export const framesOfTile = statement<[z: number, x: number, y: number], { id: string; shape: Buffer | null }>('tiles/frames_of_tile')
export const unitsOfTile = statement<[z: number, x: number, y: number], { id: string; state: string | null; lga: string | null; ward: string | null; shape: Buffer | null }>('tiles/units_of_tile')
export const valuesOfSquare = statement<[lon: number, lat: number, layer: string | null, attribute: string | null], { first: string; numbers: (number | null)[]; classes: (string | null)[]; lower: (number | null)[]; upper: (number | null)[] }>('tiles/values_of_square')
export const valuesOfUnits = statement<[level: string, layer: string, attribute: string], { id: string; value: number | null; class: string | null; recorded: number; frames: number; km2: number | null; lower: number | null; upper: number | null }>('tiles/values_of_units')
