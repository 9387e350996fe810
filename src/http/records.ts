/** Records on frames as JSON text; what datasets hold goes out as it came. */
import type { Charged } from '../credits/charging.js'
import type { Entry, FrameRecords } from '../datasets/records.js'

/** Without the datasets that were left out. */
export function recordsJson(frames: readonly FrameRecords[], { charged, leftOut }: Charged): string {
  const out = new Set(leftOut.map(({ layerId }) => layerId))
  const written = frames.map(({ id, bbox, entries }) => {
    const kept = entries.filter(({ dataset }) => !out.has(dataset.layerId)).map(entryJson)
    return `{"id":"${id}"${bbox === undefined ? '' : `,"bbox":${bbox}`},"datasets":[${kept.join(',')}]}`
  })
  return `{"frames":[${written.join(',')}],"charged":${JSON.stringify(charged)},"leftOut":${JSON.stringify(leftOut)}}`
}

function entryJson({ dataset, values, features, truncated }: Entry): string {
  const { layerId, name, category, kind, orgId } = dataset
  const head = JSON.stringify({ layerId, name, category, kind, orgId }).slice(0, -1)
  if (values !== undefined) return `${head},"values":${values}}`
  return `${head},"features":[${features?.join(',') ?? ''}]${truncated ? ',"truncated":true' : ''}}`
}
