/** Records on frames as JSON text; what datasets hold goes out as it came. */
import type { Charged } from '../credits/charging.js'
import type { Entry, FrameRecords } from '../datasets/records.js'
import type { DatasetRow } from '../db/statements.js'

/** Without the datasets that were left out. */
export function recordsJson(
  frames: readonly FrameRecords[],
  datasets: readonly DatasetRow[],
  { charged, leftOut }: Charged,
): string {
  const out = new Set(leftOut.map(({ layerId }) => layerId))
  const shown = datasets.flatMap((dataset, at) => (out.has(dataset.layerId) ? [] : [{ at, head: headJson(dataset) }]))
  const written = frames.map(({ id, bbox, entries }) => {
    let members = ''
    for (const { at, head } of shown) {
      const entry = entries[at]
      if (entry) members += `${members === '' ? '' : ','}${head}${restJson(entry)}`
    }
    return `{"id":"${id}"${bbox === undefined ? '' : `,"bbox":${bbox}`},"datasets":[${members}]}`
  })
  return `{"frames":[${written.join(',')}],"charged":${JSON.stringify(charged)},"leftOut":${JSON.stringify(leftOut)}}`
}

/** What an entry begins with, the same on every frame. */
const headJson = ({ layerId, name, category, kind, orgId }: DatasetRow) =>
  JSON.stringify({ layerId, name, category, kind, orgId }).slice(0, -1)

const restJson = ({ values, features = [], truncated }: Entry) =>
  values !== undefined
    ? `,"values":${values}}`
    : `,"features":[${features.join(',')}]${truncated ? ',"truncated":true' : ''}}`
