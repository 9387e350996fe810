/** Compares the objects of a database with those that the migrations make, in both directions. */
import { functionFiles } from '../db/functions.js'
import {
  granteeOf,
  isOfDataset,
  KIND_LABELS,
  objectKey,
  resultOf,
  type PresentObject,
  type SchemaObject,
} from '../db/schema.js'
import type { FindingRow } from './check.js'

type PlacedRow = FindingRow & Pick<SchemaObject, 'kind' | 'relation'>

const KIND_ORDER = Object.keys(KIND_LABELS)

/** Each of these functions grants a role all that it needs. */
const GRANTED_BY: Record<string, string> = {
  frames_service: 'service_may',
  frames_console: 'console_may',
  frames_analyst: 'analyst_may',
}

const LOST = '-- No statement brings its rows back: restore the database from a backup.'

export type Schemas = {
  expected: SchemaObject[]
  present: PresentObject[]
  /** The role that owns table migration. */
  owner: string
  /** The roles of the program that this server has. */
  roles: string[]
}

/** A row for each object that is missing, differs, or should not be there. An index, table or role of a DBA may be. */
export function differingObjects({ expected, present, owner, roles }: Schemas): FindingRow[] {
  const found = new Map(present.map((object) => [objectKey(object), object]))
  const known = new Set(expected.map(objectKey))
  const places = relationsOf(present)
  const ours = relationsOf(expected)
  const wanted = expected.filter(({ kind, name }) => kind !== 'grant' || [...roles, 'public'].includes(granteeOf(name)))
  const isOfColumn = ({ kind }: SchemaObject) => kind === 'not null' || kind === 'default'
  const columnOf = (object: SchemaObject) => objectKey({ ...object, kind: 'column' })
  const missing = wanted.filter(
    (object) =>
      !found.has(objectKey(object)) &&
      (isWholeObject(object) || places.has(object.relation)) &&
      (!isOfColumn(object) || found.has(columnOf(object))),
  )
  const unwanted = present.filter(
    (object) =>
      !known.has(objectKey(object)) &&
      (object.kind === 'schema' || ours.has(object.relation)) &&
      (!isOfColumn(object) || known.has(columnOf(object))),
  )
  const renamed = renamedColumns(missing, unwanted)
  const rows: PlacedRow[] = [
    ...missing.filter(({ kind }) => kind !== 'grant').map((object) => missingRow(object, renamed.get(object))),
    ...lackingRights(missing.filter(({ kind }) => kind === 'grant')),
    ...wanted.flatMap((object) => differingRows(object, found.get(objectKey(object)))),
    ...present
      .filter((object) => known.has(objectKey(object)) || isOfDataset(object))
      .flatMap((is) => ownerRows(is, owner)),
    ...present.flatMap((object) => stateRows(object, known.has(objectKey(object)))),
    ...unwanted
      .filter((object) => ![...renamed.values()].includes(object))
      .flatMap((object) => unwantedRows(object, found.has(objectKey({ ...object, kind: 'not null' })))),
    ...present.filter(isForeignView(known)).map(foreignViewRow),
  ]
  const files = functionFiles().map(({ name }) => name)
  const place = ({ kind, relation }: PlacedRow) => KIND_ORDER.indexOf(kind) * 1000 + files.indexOf(relation)
  return rows
    .sort((one, other) => place(one) - place(other))
    .map(({ severity, what, fix }) => ({ severity, what, fix }))
}

const isWholeObject = ({ kind, relation, name }: SchemaObject) => relation === name || kind === 'function'
const privilegeOf = (right: string) => right.slice(0, right.lastIndexOf(' to '))

/** The relations, functions and schemas that have parts or rights. */
const relationsOf = (objects: readonly SchemaObject[]) =>
  new Set([
    ...objects.map(({ relation }) => relation),
    ...objects.filter(({ kind }) => kind === 'function').map(({ name }) => `function ${name}`),
    'schema public',
    'schema analyst',
    'migration',
  ])

function objectName({ kind, relation, name }: SchemaObject): string {
  if (kind === 'function') return `Function ${relation}`
  return `${KIND_LABELS[kind]} ${name}${relation === name ? '' : ` of ${relation}`}`
}

const wrongObject = ({ kind, relation }: SchemaObject, what: string, fix: string): PlacedRow => ({
  kind,
  relation,
  severity: 'wrong',
  what,
  fix,
})

/** The statements of a function are those of its file, without the header. */
function statementOf({ kind, relation, statement }: SchemaObject): string {
  if (kind !== 'function') return statement ?? LOST
  const file = functionFiles().find(({ name }) => name === relation)
  return file?.text.replace(/^(--.*\n)*/, '') ?? ''
}

/** A column that is missing, where its table has one column of the same type that should not be there. */
function renamedColumns(
  missing: readonly SchemaObject[],
  unwanted: readonly PresentObject[],
): Map<SchemaObject, PresentObject> {
  const pairs = missing
    .filter(({ kind }) => kind === 'column')
    .flatMap((object) => {
      const { relation, definition } = object
      const isLike = (other: SchemaObject) =>
        other.kind === 'column' && other.relation === relation && other.definition === definition
      const [only, another] = unwanted.filter(isLike)
      return only && !another && missing.filter(isLike).length === 1 ? [[object, only] as const] : []
    })
  return new Map(pairs)
}

function missingRow(object: SchemaObject, renamed: PresentObject | undefined): PlacedRow {
  const { kind, relation, name } = object
  if (renamed) {
    const what = `${objectName(object)} is missing, and column ${renamed.name}, which may be the same, is there.`
    return wrongObject(object, what, `alter table ${relation} rename column ${renamed.name} to ${name};`)
  }
  const isLost = kind === 'table' || kind === 'column'
  const what =
    kind === 'not null'
      ? `Column ${name} of ${relation} may be null, and the migrations make it "not null".`
      : `${objectName(object)} is missing.`
  return wrongObject(object, what, isLost ? LOST : statementOf(object))
}

function differingRows(object: SchemaObject, is: PresentObject | undefined): PlacedRow[] {
  if (!is || is.definition === object.definition) return []
  const { kind, name, definition } = object
  const differs = (what: string, fix: string) => [wrongObject(object, `${objectName(object)} ${what}`, fix)]
  if (kind === 'column')
    return differs(`is ${is.definition}, the migrations make it ${definition}.`, statementOf(object))
  const change = `differs from the migrations: ${is.definition}`
  if (kind === 'sequence') return differs(change, `alter sequence ${name} ${definition};`)
  // PostgreSQL replaces a function where its result stays the same.
  const isReplaced = kind === 'view' || kind === 'default' || (kind === 'function' && resultOf(is) === resultOf(object))
  const what = kind === 'function' ? 'differs from its file in sql/functions/.' : change
  return differs(what, `${isReplaced ? '' : `${is.removal}\n`}${statementOf(object)}`)
}

/** A build or an import replaces tables, and a migration changes all: both need the owner of all. */
function ownerRows(object: PresentObject, right: string): PlacedRow[] {
  const { kind, name, owner } = object
  // A sequence belongs to the owner of its table.
  if (owner === null || owner === right || kind === 'sequence') return []
  const what = `belongs to ${owner}, and table migration to ${right}, who can neither change nor replace it.`
  const fix = `-- A superuser runs this:\nalter ${kind} ${name} owner to ${right};`
  return [wrongObject(object, `${objectName(object)} ${what}`, fix)]
}

function stateRows(object: PresentObject, isKnown: boolean): PlacedRow[] {
  const { kind, state, repair, removal } = object
  if (state === '') return []
  const isOwnIndex = kind === 'index' && !isKnown
  const fix = isOwnIndex ? (removal ?? '').replace('drop index', 'drop index concurrently') : repair
  return [wrongObject(object, `${objectName(object)} ${state}`, fix)]
}

function lackingRights(missing: readonly SchemaObject[]): PlacedRow[] {
  const rightOf = ({ name, relation }: SchemaObject) => `${privilegeOf(name)} on ${relation}`
  return [...new Set(missing.map(({ name }) => granteeOf(name)))].flatMap((role) => {
    const lacking = missing.filter(({ name }) => granteeOf(name) === role)
    const [first] = lacking
    const grant = GRANTED_BY[role]
    const fix = grant ? `select ${grant}('${role}');` : lacking.map(statementOf).join('\n')
    return first ? [wrongObject(first, `${role} lacks ${lacking.map(rightOf).join(', ')}.`, fix)] : []
  })
}

/** An index and a table of its own are a matter of the DBA. */
function unwantedRows(object: PresentObject, isRequired: boolean): PlacedRow[] {
  const { kind, relation, name } = object
  const fix = object.removal ?? ''
  if (kind === 'index' || kind === 'table' || kind === 'sequence' || kind === 'view') return []
  if (kind === 'grant') return [unwantedRight(object)]
  if (kind === 'column') {
    const what = `${objectName(object)} is not of the migrations${isRequired ? ', and new rows need a value there' : ''}.`
    const row = wrongObject(object, what, `-- It goes with all that it holds:\n${fix}`)
    return [isRequired ? row : { ...row, severity: 'advice' }]
  }
  if (kind === 'schema') {
    const what = `is in the way: sessions of role ${name} find its tables and functions instead of ours.`
    return [wrongObject(object, `Schema ${name} ${what}`, `-- A superuser runs this:\n${fix}`)]
  }
  const what = kind === 'function' ? `Function ${name}` : objectName(object)
  const danger = kind === 'function' ? `, and calls of ${relation} may find it` : ''
  return [wrongObject(object, `${what} is not of the migrations${danger}.`, fix)]
}

function unwantedRight(object: PresentObject): PlacedRow {
  const { relation, name, removal } = object
  const role = granteeOf(name)
  const grant = GRANTED_BY[role]
  // A right that is revoked on a table goes on its columns too.
  const fix = `${removal}${grant ? `\nselect ${grant}('${role}');` : ''}`
  const who = role === 'public' ? 'Everyone' : role
  return wrongObject(object, `${who} may ${privilegeOf(name)} ${relation}, which is not needed.`, fix)
}

const isForeignView =
  (known: ReadonlySet<string>) =>
  (object: PresentObject): boolean =>
    object.kind === 'view' && !known.has(objectKey(object)) && !object.relation.startsWith('analyst.')

const foreignViewRow = (object: PresentObject): PlacedRow => ({
  ...wrongObject(object, `View ${object.name} is not of the migrations: schema public is ours.`, `${object.removal}`),
  severity: 'advice',
})
