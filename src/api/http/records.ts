/** Writes the records on frames as JSON text. The text that datasets hold goes out unchanged. */
import { paidId, type Bill } from '../../core/credits/charging.js'
import type { DatasetRecords, FrameRecords } from '../../core/datasets/records.js'
import type { DatasetRow } from '../../core/db/statements.js'

/** Drops the datasets that the credits did not cover. */
export function recordsJson(
  frames: readonly FrameRecords[],
  datasets: readonly DatasetRow[],
  { charged, leftOut }: Bill,
): string {
  const dropped = new Set(leftOut.map(({ layerId }) => layerId))
  const heads = datasets
    .filter((dataset) => !dropped.has(paidId(dataset)))
    .map((dataset) => ({ dataset, head: headJson(dataset) }))
  const written = frames.map(({ id, bbox, records }) => {
    let members = ''
    for (const { dataset, head } of heads) {
      const found = records.get(dataset)
      if (found) members += `${members === '' ? '' : ','}${head}${restJson(found)}`
    }
    return `{"id":"${id}"${bbox === undefined ? '' : `,"bbox":${bbox}`},"datasets":[${members}]}`
  })
  return `{"frames":[${written.join(',')}],"charged":${JSON.stringify(charged)},"leftOut":${JSON.stringify(leftOut)}}`
}

/** The members that a dataset has on every frame, up to its records. */
const headJson = ({ layerId, name, category, kind, orgId }: DatasetRow) =>
  JSON.stringify({ layerId, name, category, kind, orgId }).slice(0, -1)

const restJson = ({ values, features = [], truncated }: DatasetRecords) =>
  values !== undefined
    ? `,"values":${values}}`
    : `,"features":[${features.join(',')}]${truncated ? ',"truncated":true' : ''}}`
