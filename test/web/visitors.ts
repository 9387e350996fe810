/** Visitors of the web app of this test process, and the rows that they leave. */
import { DEMO_ORGANISATION } from '../../src/core/access/organisations.js'
import { makeLink, signIn, visit, type Invited, type Visitor } from '../support/browse.js'
import { service } from '../support/service.js'

export const rows = <Row>(text: string, ...args: unknown[]): Promise<Row[]> => service().db.rows<Row>(text, args)

/** A visitor who is not signed in. */
export const guest = (): Visitor => visit(service().url)
export const linkFor = (invited: Invited): Promise<string> => makeLink(service().db, invited)
export const signedIn = (invited: Invited): Promise<Visitor> => signIn(service().url, service().db, invited)

/** A member of the organisation with this name: the fixture's datasets are those of a few. */
export async function memberOf(name: string = DEMO_ORGANISATION): Promise<Visitor> {
  const [row] = await rows<{ orgId: string }>('select org_id as "orgId" from organisation where name = $1::text', name)
  if (!row) throw new Error(`No organisation is named ${name}.`)
  return await signedIn({ orgId: row.orgId, role: 'member' })
}
