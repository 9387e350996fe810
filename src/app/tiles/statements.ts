/** The reads of this room, with the types of their parameters and rows. `npm run schema` writes this file. */
import { statement } from '../../core/db/index.js'

export const blocksOfAttribute = statement<[z: number, x: number, y: number, layer: string, attribute: string], { id: string; block: number; shape: Buffer | null; value: number | null; class: string | null; recorded: number; frames: number; km2: number; lower: number | null; upper: number | null }>('tiles/blocks_of_attribute')
export const blocksOfTile = statement<[z: number, x: number, y: number], { id: string; block: number; shape: Buffer | null }>('tiles/blocks_of_tile')
export const featuresOfTile = statement<[z: number, x: number, y: number, layers: string[], most: number, met: number], { dataset: string; no: number; id: string; shape: Buffer | null; cut: number | null }>('tiles/features_of_tile')
export const framesOfAttribute = statement<[z: number, x: number, y: number, layer: string, attribute: string], { id: string; shape: Buffer | null; value: number | null; class: string | null; lower: number | null; upper: number | null }>('tiles/frames_of_attribute')
export const framesOfFeatures = statement<[z: number, x: number, y: number, layer: string], { id: string; shape: Buffer | null; value: number | null; class: string | null }>('tiles/frames_of_features')
export const framesOfTile = statement<[z: number, x: number, y: number], { id: string; shape: Buffer | null }>('tiles/frames_of_tile')
export const totalsOfUnits = statement<[ids: string[], layer: string, attribute: string], { id: string; value: number; recorded: number }>('tiles/totals_of_units')
export const unitsOfAttribute = statement<[z: number, x: number, y: number, layer: string, attribute: string], { id: string; state: string; lga: string | null; ward: string | null; shape: Buffer | null; value: number | null; class: string | null; recorded: number; frames: number; km2: number; lower: number | null; upper: number | null }>('tiles/units_of_attribute')
export const unitsOfTile = statement<[z: number, x: number, y: number], { id: string; state: string; lga: string | null; ward: string | null; shape: Buffer | null }>('tiles/units_of_tile')
export const valuesOfFrames = statement<[ids: string[], layer: string, attribute: string], { id: string; value: number }>('tiles/values_of_frames')
