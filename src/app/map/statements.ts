/** The reads of this room, with the types of their parameters and rows. `npm run schema` writes this file. */
import { statement } from '../../core/db/index.js'

export const classesCounted = statement<[layers: string[]], { layer: string; attribute: string; classes: number }>('map/classes_counted')
export const densitiesOfAttribute = statement<[layer: string, attribute: string], { level: 'lga' | 'state' | 'ward'; lowest: number; highest: number; breaks: number[]; bins: number[] }>('map/densities_of_attribute')
export const extentOfIndex = statement<[], { minLon: number | null; minLat: number | null; maxLon: number | null; maxLat: number | null; runs: number; isGrid: boolean }>('map/extent_of_index')
export const featureDescribed = statement<[layer: string, no: number, id: string, most: number], { geometry: string; properties: string; minLon: number; minLat: number; maxLon: number; maxLat: number; frames: string[] }>('map/feature_described')
export const frameAmong = statement<[id: string | number, state: string, lga: string, layer: string, subject: string | null, most: number], { number: string; place: number | null; frames: number; mean: string | null }>('map/frame_among')
export const framesOfBox = statement<[minLon: number, minLat: number, maxLon: number, maxLat: number, most: number], { id: string }>('map/frames_of_box')
export const legendOfAttribute = statement<[layer: string, attribute: string], { level: 'frame' | 'ward' | 'lga' | 'state'; recorded: number; lacking: number; lowest: string | null; highest: string | null; breaks: string[]; bins: number[]; classes: string[] }>('map/legend_of_attribute')
export const neighboursOfUnit = statement<[state: string, lga: string | null, ward: string | null], { state: string; lga: string | null; ward: string | null }>('map/neighbours_of_unit')
export const outlineOfIndex = statement<[], { path: string; height: number }>('map/outline_of_index')
export const outlinesOfUnits = statement<[states: string[], lgas: (string | null)[], wards: (string | null)[]], { geometry: string }>('map/outlines_of_units')
export const spreadOfChange = statement<[layer: string, attribute: string, before: string, other: string], { low: number | null; high: number | null }>('map/spread_of_change')
export const unitFacts = statement<[state: string, lga: string | null, ward: string | null], { state: string; lga: string | null; ward: string | null; code: string | null; zone: string | null; frames: number; areaKm2: string; minLon: number; minLat: number; maxLon: number; maxLat: number }>('map/unit_facts')
export const unitsNamed = statement<[words: string, most: number], { state: string; lga: string | null; ward: string | null; frames: number; alike: number }>('map/units_named')
