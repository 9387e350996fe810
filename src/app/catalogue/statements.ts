/** Every read of the pages about datasets: the files of sql/catalogue/ with the types of what goes in and comes out. */
import { statement } from '../../core/db/statement.js'

export type Described = {
  layerId: string
  description: string | null
  owner: string
  isOwn: boolean
  /** The licence that counts is one for everyone. */
  isForEveryone: boolean
  items: number
  importedAt: Date
  /** The name of its view in schema analyst. */
  viewName: string
}
export const datasetsDescribed = statement<[layers: string[], orgId: string], Described>('catalogue/datasets_described')

/** An attribute or, where `summary` is null, a property of features. `layer` counts from 1. */
export type DatasetColumn = {
  layer: number
  name: string
  label: string
  unit: string | null
  type: 'number' | 'category'
  summary: 'sum' | 'mean' | 'weighted_mean' | 'mode' | 'none' | null
  weight: string | null
  method: string | null
  description: string | null
  synonyms: string[]
  /** The attributes that have its bounds. */
  lower: string | null
  upper: string | null
  draws: number | null
}
export const columnsOfDatasets = statement<[layers: string[]], DatasetColumn>('catalogue/columns_of_datasets')

/** `attribute` is one of a baseline or, for features, features, km or km2. Numbers are decimals, as text. */
export type CatalogueFigures = {
  attribute: string
  recorded: number
  lacking: number
  sampled: number
  lowest: string | null
  highest: string | null
  bins: number[]
}
export const figuresOfDataset = statement<[layer: string], CatalogueFigures>('catalogue/figures_of_dataset')

/** `recorded` is null for an attribute. A property that is a number has no value. */
export type ClassRow = {
  name: string
  recorded: number | null
  value: string | null
  items: number | null
  classes: number
}
export const classesOfDataset = statement<[layer: string, most: number], ClassRow>('catalogue/classes_of_dataset')

export const frameWithRecord = statement<[layer: string], { id: string }>('catalogue/frame_with_record')
