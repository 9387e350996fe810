/**
 * Writes frames as JSON text. Geometry and bbox are sent as the database sent them: parsing them here would cost more.
 */
import { UNIT_FIELDS, type UnitFields } from '../../core/unit-fields.js'
import type { FrameRow } from '../../core/db/index.js'

export function frameJson(frame: FrameRow): string {
  return `{"id":"${frame.id}","geometry":${frame.geometry},"bbox":${frame.bbox}${adminMember(frame)}}`
}

/** Answers in pieces, so that the features are not copied into one text. */
export function collectionJson(
  features: Buffer,
  more: { truncated: boolean; next?: string | undefined },
): (string | Buffer)[] {
  const end = `${more.truncated ? ',"truncated":true' : ''}${more.next ? `,"next":"${more.next}"` : ''}`
  return ['{"type":"FeatureCollection","features":[', features, `]${end}}`]
}

/** Returns an empty text on an index whose units are not assigned. */
function adminMember(frame: UnitFields): string {
  if (frame.state === null) return ''
  let members = ''
  for (const name of UNIT_FIELDS) {
    const value = frame[name]
    if (value === null) continue
    members += `${members === '' ? '' : ','}"${name}":${JSON.stringify(value)}`
  }
  return `,"admin":{${members}}`
}

/** Drops the members that are not recorded. */
export function recordedMembers<T extends object>(row: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<T>
}
