/** The administrative units of a frame, in the order in which answers and files list them. */
export const UNIT_FIELDS = ['state', 'stateCode', 'lga', 'lgaCode', 'ward', 'wardCode', 'zone', 'zoneCode'] as const

/** Their names in files and in the views of schema analyst: JSON writes stateCode, SQL writes state_code. */
export const unitColumn = (field: UnitField): string => field.replace('Code', '_code')
export const UNIT_COLUMNS: readonly string[] = UNIT_FIELDS.map((field) => unitColumn(field))

export type UnitField = (typeof UNIT_FIELDS)[number]

/** Null where the index records nothing. */
export type UnitFields = Record<UnitField, string | null>
