/** The reads of this room, with the types of their parameters and rows. `npm run schema` writes this file. */
import { statement } from '../../core/db/index.js'

export const classesOfDataset = statement<[layer: string, most: number], { name: string; recorded: number | null; value: string | null; items: number | null; classes: number }>('catalogue/classes_of_dataset')
export const columnsOfDatasets = statement<[layers: string[]], { layer: number; place: number; name: string; label: string; unit: string | null; type: 'number' | 'category'; summary: 'sum' | 'mean' | 'weighted_mean' | 'mode' | 'none' | null; weight: string | null; method: string | null; description: string | null; synonyms: string[]; lower: string | null; upper: string | null; draws: number | null }>('catalogue/columns_of_datasets')
export const datasetsDescribed = statement<[layers: string[], orgId: string], { layerId: string; description: string | null; origin: string; owner: string; isOwn: boolean; isForEveryone: boolean; items: number; importedAt: Date; viewName: string }>('catalogue/datasets_described')
export const figuresOfDataset = statement<[layer: string], { attribute: string; recorded: number; lacking: number; sampled: number; lowest: string | null; highest: string | null; bins: number[] }>('catalogue/figures_of_dataset')
export const frameWithRecord = statement<[layer: string], { id: string }>('catalogue/frame_with_record')
