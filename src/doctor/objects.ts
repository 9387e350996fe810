/** Compares the objects of a database with those that the migrations make. */
import type { PresentObject, SchemaObject } from '../db/schema.js'
import type { Known, Row } from './check.js'

type ObjectKind = SchemaObject['kind']

const keyOf = ({ kind, relation, name }: SchemaObject) => `${kind} ${relation} ${name}`

/** A row for each object of these kinds that is missing or differs. */
export function differingObjects(kinds: readonly ObjectKind[], { expected, present, owner }: Known): Row[] {
  const found = new Map(present.map((object) => [keyOf(object), object]))
  const relations = new Set(present.map(({ relation }) => relation))
  return expected
    .filter(({ kind }) => kinds.includes(kind))
    .filter(({ kind, relation }) => kind === 'table' || kind === 'view' || relations.has(relation))
    .flatMap((object) => {
      const is = found.get(keyOf(object))
      return is ? [...differences(object, is), ...otherOwner(is, owner)] : [missing(object)]
    })
}

const LABELS: Record<ObjectKind, string> = {
  table: 'Table',
  column: 'Column',
  index: 'Index',
  unique: 'Index',
  constraint: 'Constraint',
  trigger: 'Trigger',
  view: 'View',
}

const nameOf = ({ kind, relation, name }: SchemaObject) =>
  `${LABELS[kind]} ${name}${relation === name ? '' : ` of ${relation}`}`

const LOST = '-- No statement brings its rows back: restore the database from a backup.'

function missing(object: SchemaObject): Row {
  const isLost = object.kind === 'table' || object.kind === 'column'
  return { severity: 'wrong', what: `${nameOf(object)} is missing.`, fix: isLost ? LOST : (object.statement ?? '') }
}

function differences(expected: SchemaObject, { definition, state }: PresentObject): Row[] {
  const { kind, relation, name } = expected
  const wrong = (what: string, fix: string): Row[] => [{ severity: 'wrong', what: `${nameOf(expected)} ${what}`, fix }]
  if (kind === 'column') {
    const mayBeNull = expected.definition === 'not null' && definition !== 'not null'
    return mayBeNull ? wrong('may be null, and the migrations make it "not null".', expected.statement ?? '') : []
  }
  if (definition !== expected.definition) {
    return wrong(`differs from the migrations: ${definition}`, `${undo(expected)}${expected.statement}`)
  }
  if (state === 'not validated') {
    return wrong('does not hold for rows from before it.', `alter table ${relation} validate constraint ${name};`)
  }
  return state === 'off' ? wrong('is switched off.', `alter table ${relation} enable trigger ${name};`) : []
}

function undo({ kind, relation, name }: SchemaObject): string {
  if (kind === 'index') return `drop index ${name};\n`
  if (kind === 'trigger') return `drop trigger ${name} on ${relation};\n`
  return kind === 'view' ? '' : `alter table ${relation} drop constraint ${name};\n`
}

/** A build or an import replaces tables, and a migration changes them: both need the owner of all. */
function otherOwner({ kind, name, owner }: PresentObject, right: string): Row[] {
  if ((kind !== 'table' && kind !== 'view') || owner === right) return []
  return [
    {
      severity: 'wrong',
      what: `${LABELS[kind]} ${name} belongs to ${owner}, and table migration to ${right}, who can neither change nor replace it.`,
      fix: `-- A superuser runs this:\nalter ${kind} ${name} owner to ${right};`,
    },
  ]
}
