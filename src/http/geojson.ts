/** Frames as JSON text. Geometry and bbox come from the database as text and go out as they came. */
import type { Admin, FeatureRow, FrameRow } from '../db/statements.js'

export function frameJson(frame: FrameRow): string {
  const admin = adminOf(frame)
  return `{"id":"${frame.id}","geometry":${frame.geometry},"bbox":${frame.bbox}${
    admin ? `,"admin":${JSON.stringify(admin)}` : ''
  }}`
}

export function collectionJson(frames: readonly FeatureRow[], more: { truncated?: boolean; next?: string }): string {
  // One text that grows: half the time of as many texts, joined.
  let features = ''
  for (const { id, geometry } of frames) {
    if (features !== '') features += ','
    features += '{"type":"Feature","id":"'
    features += id
    features += '","geometry":'
    features += geometry
    features += ',"properties":{}}'
  }
  return `{"type":"FeatureCollection","features":[${features}]${
    more.truncated ? ',"truncated":true' : ''
  }${more.next ? `,"next":"${more.next}"` : ''}}`
}

/** Undefined on an index whose units are not assigned. */
function adminOf({ state, stateCode, lga, lgaCode, ward, wardCode, zone, zoneCode }: Admin) {
  if (state === null) return undefined
  return present({ state, stateCode, lga, lgaCode, ward, wardCode, zone, zoneCode })
}

/** Without the members that are not recorded. */
export function present<T extends object>(row: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<T>
}
