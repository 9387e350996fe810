/** Records on frames as JSON text; what datasets hold goes out as it came. */
import type { Charged } from '../credits/charging.js'
import type { Entry, FrameRecords } from '../datasets/records.js'
import type { DatasetRow } from '../db/statements.js'

/** Without the datasets that were left out. */
export function recordsJson(frames: readonly FrameRecords[], { charged, leftOut }: Charged): string {
  const out = new Set(leftOut.map(({ layerId }) => layerId))
  const heads = new Map<DatasetRow, string>()
  const head = (dataset: DatasetRow) => {
    const known = heads.get(dataset) ?? headJson(dataset)
    heads.set(dataset, known)
    return known
  }
  const entryJson = ({ dataset, values, features, truncated }: Entry): string => {
    if (values !== undefined) return `${head(dataset)},"values":${values}}`
    return `${head(dataset)},"features":[${features?.join(',') ?? ''}]${truncated ? ',"truncated":true' : ''}}`
  }
  const written = frames.map(({ id, bbox, entries }) => {
    const kept = entries.filter(({ dataset }) => !out.has(dataset.layerId)).map(entryJson)
    return `{"id":"${id}"${bbox === undefined ? '' : `,"bbox":${bbox}`},"datasets":[${kept.join(',')}]}`
  })
  return `{"frames":[${written.join(',')}],"charged":${JSON.stringify(charged)},"leftOut":${JSON.stringify(leftOut)}}`
}

/** What an entry begins with, the same on every frame. */
const headJson = ({ layerId, name, category, kind, orgId }: DatasetRow) =>
  JSON.stringify({ layerId, name, category, kind, orgId }).slice(0, -1)
