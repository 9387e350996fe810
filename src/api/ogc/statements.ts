/** The reads of this room, with the types of their parameters and rows. `npm run schema` writes this file. */
import { statement } from '../../core/db/index.js'

export const extent = statement<[], { minLon: number | null; minLat: number | null; maxLon: number | null; maxLat: number | null }>('ogc/extent')
export const featurePlace = statement<[layer: string, id: string], { place: number; isFound: boolean }>('ogc/feature_place')
export const itemsOfBaseline = statement<[layer: string, area: string, filter: string, crs: number, after: string | number, look: number, most: number], { features: string; shown: number; shown_last: string; has_more: number; last: string; looked: number; odd: number }>('ogc/items_of_baseline')
export const itemsOfFeatures = statement<[layer: string, area: string, filter: string, crs: number, after: number, look: number, most: number], { features: string; shown: number; shown_last: string; has_more: number; last: string; looked: number; odd: number }>('ogc/items_of_features')
export const itemsOfFrames = statement<[area: string, filter: string, crs: number, after: string | number, look: number, most: number], { features: string; shown: number; shown_last: string; has_more: number; last: string; looked: number; odd: number }>('ogc/items_of_frames')
export const itemsOfUnits = statement<[level: string, area: string, filter: string, crs: number, after: string | number, look: number, most: number], { features: string; shown: number; shown_last: string; has_more: number; last: string; looked: number; odd: number }>('ogc/items_of_units')
export const numberInDataset = statement<[layer: string], { number: number | null }>('ogc/number_in_dataset')
export const numberOfFrames = statement<[], { number: number }>('ogc/number_of_frames')
export const queryables = statement<[layer: string], { name: string; label: string; unit: string | null; type: 'number' | 'category'; place: number }>('ogc/queryables')
export const shapeFault = statement<[wkt: string, crs: number], { fault: string | null }>('ogc/shape_fault')
