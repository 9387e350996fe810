/** The administrative units of a frame, in the order in which answers and files list them. */
export const UNIT_FIELDS = ['state', 'stateCode', 'lga', 'lgaCode', 'ward', 'wardCode', 'zone', 'zoneCode'] as const

export type UnitField = (typeof UNIT_FIELDS)[number]

/** Null where the index records nothing. */
export type UnitFields = Record<UnitField, string | null>
