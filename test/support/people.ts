/** Enters people as a sign-in does. */
import { randomText } from '../../src/core/access/secret.js'
import type { Database } from '../../src/core/db/connect.js'

type Entered = { orgId: string; role: 'owner' | 'admin' | 'member'; name?: string; email?: string }

/** Enters a person who is a member, and returns the id. */
export async function enterMember(db: Database, { orgId, role, name = 'Ada', email }: Entered): Promise<string> {
  const personId = `per_${randomText(12)}`
  await db.rows('insert into person (person_id, name, email) values ($1::text, $2::text, $3::text)', [
    personId,
    name,
    email ?? null,
  ])
  await db.rows('insert into membership (person_id, org_id, role) values ($1::text, $2::text, $3::text)', [
    personId,
    orgId,
    role,
  ])
  return personId
}
