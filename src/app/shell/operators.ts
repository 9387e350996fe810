/** Operators see the health of the service. They are the Owners and Admins of the organisations that OPERATORS names. */
import { DEMO_ORGANISATION } from '../../core/access/organisations.js'

/** Ids of organisations; or the demo organisation, which only the embedded database has. */
export type Operators = readonly string[] | 'demo'

/** Adds to the mistakes what no organisation can be meant by. */
export function operatorsIn(value: string | undefined, isEmbedded: boolean, mistakes: string[]): Operators {
  if (value === undefined) return isEmbedded ? 'demo' : []
  if (value === 'off') return []
  const ids = value.split(',').map((id) => id.trim())
  const wrong = ids.find((id) => !/^org_[0-9A-Za-z]{12}$/.test(id))
  if (wrong === undefined) return ids
  mistakes.push(
    `OPERATORS has "${wrong}"; ids of organisations are accepted, with commas between them, such as org_0123456789ab, or off`,
  )
  return []
}

/** The name of an organisation is unique, and only the command line gives one. */
export const areOperators = (operators: Operators, { orgId, orgName }: { orgId: string; orgName: string }): boolean =>
  operators === 'demo' ? orgName === DEMO_ORGANISATION : operators.includes(orgId)
