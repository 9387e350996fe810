export { type DatasetRecords, datasetsWithRecords, type FrameRecords, pricedOn, recordsOn } from './records.js'
export { areUnchanged, visibleDatasets } from './visible.js'
