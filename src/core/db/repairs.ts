/** Compares the objects of a database with those that the migrations make, for `migrate`, and before with after. */
import { expectedObjects, granteeOf, objectKey, type PresentObject, type SchemaObject } from './schema.js'

const PROGRAM_ROLES = ['frames_service', 'frames_console', 'frames_analyst']

type Expected = { objects: ReadonlyMap<string, SchemaObject>; relations: ReadonlySet<string> }

function expected(): Expected {
  const objects = expectedObjects()
  return {
    objects: new Map(objects.map((object) => [objectKey(object), object])),
    relations: new Set(objects.map(({ relation }) => relation)),
  }
}

/**
 * Statements that drop functions of other parameters, or of another result: PostgreSQL would keep the first beside
 * those of this release, and refuse to replace the second.
 */
export function functionsToDrop(present: readonly PresentObject[]): string[] {
  const { objects, relations } = expected()
  const resultOf = ({ definition }: SchemaObject) => definition.split(' language ')[0]
  return present.flatMap((object) => {
    if (object.kind !== 'function' || !relations.has(object.relation)) return []
    const wanted = objects.get(objectKey(object))
    return wanted && resultOf(wanted) === resultOf(object) ? [] : [object.removal ?? '']
  })
}

/** Statements that take back rights of the program's roles on its objects. A right on an object of a DBA stays. */
export function rightsToRevoke(present: readonly PresentObject[]): string[] {
  const { objects, relations } = expected()
  return present
    .filter(({ kind, name }) => kind === 'grant' && PROGRAM_ROLES.includes(granteeOf(name)))
    .filter((right) => relations.has(right.relation) && !objects.has(objectKey(right)))
    .map(({ removal }) => removal ?? '')
}

/** True where the functions are those of this release: no process of another one is likely to run. */
export function isOfThisRelease(present: readonly PresentObject[]): boolean {
  const { objects } = expected()
  const functions = present.filter(({ kind }) => kind === 'function')
  return functions.every((object) => (objects.get(objectKey(object)) ?? object).definition === object.definition)
}

/** Names the objects that are there now and were not, or were otherwise, and counts the rights of each role. */
export function differences(before: readonly PresentObject[], after: readonly PresentObject[]): string[] {
  const [old, now] = [keysOf(before), keysOf(after)]
  const changed = [
    ...after.filter((object) => old.get(objectKey(object)) !== object.definition),
    ...before.filter((object) => !now.has(objectKey(object))),
  ]
  const others = changed.filter(({ kind }) => kind !== 'grant').map(({ kind, name }) => `${kind} ${name}`)
  // A function that is made anew brings its rights.
  const rights = changed
    .filter(({ kind, relation }) => kind === 'grant' && !others.includes(relation))
    .map(({ name }) => granteeOf(name))
  const countOf = (role: string) => rights.filter((each) => each === role).length
  const roles = [...new Set(rights)].map(
    (role) => `rights of ${role === 'public' ? 'everyone' : role} (${countOf(role)})`,
  )
  return [...new Set(others), ...roles]
}

const keysOf = (objects: readonly PresentObject[]) =>
  new Map(objects.map((object) => [objectKey(object), object.definition]))
