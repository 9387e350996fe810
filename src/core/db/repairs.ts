/** Compares the objects of a database with those that the migrations make, for `migrate`, and before with after. */
import { expectedObjects, granteeOf, objectKey, resultOf, type PresentObject } from './schema.js'

const PROGRAM_ROLES = ['frames_service', 'frames_console', 'frames_analyst']

export type Repairs = {
  /**
   * Drop functions of other parameters, which PostgreSQL would keep beside ours, or of another result, which it would
   * not replace.
   */
  drops: string[]
  /** Take back rights of the program's roles on its objects. A right on an object of a DBA stays. */
  revokes: string[]
  /** The functions are those of this release: no process of another one is likely to run. */
  isOfThisRelease: boolean
}

/** Returns the statements that bring the objects of a database closer to those of this release. */
export function repairsOf(present: readonly PresentObject[]): Repairs {
  const expected = expectedObjects()
  const wanted = new Map(expected.map((object) => [objectKey(object), object]))
  const relations = new Set(expected.map(({ relation }) => relation))
  const ours = present.filter(({ relation }) => relations.has(relation))
  const functions = ours.filter(({ kind }) => kind === 'function')
  const isReplaceable = (object: PresentObject) => {
    const of = wanted.get(objectKey(object))
    return of !== undefined && resultOf(of) === resultOf(object)
  }
  const isNeedless = (object: PresentObject) =>
    object.kind === 'grant' && PROGRAM_ROLES.includes(granteeOf(object.name)) && !wanted.has(objectKey(object))
  const removals = (objects: readonly PresentObject[]) => objects.map(({ removal }) => removal ?? '')
  return {
    drops: removals(functions.filter((object) => !isReplaceable(object))),
    revokes: removals(ours.filter(isNeedless)),
    isOfThisRelease: functions.every((object) => wanted.get(objectKey(object))?.definition === object.definition),
  }
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
