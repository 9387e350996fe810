/** Visitors of the web app of this test process, and the rows that they leave. */
import { DEMO_ORGANISATION } from '../../src/core/access/organisations.js'
import { makeLink, signIn, visit, type Invited, type Visitor } from '../support/browse.js'
import { service } from '../support/service.js'

export const rows = <Row>(text: string, ...args: unknown[]): Promise<Row[]> => service().db.rows<Row>(text, args)

/** A visitor who is not signed in. */
export const guest = (): Visitor => visit(service().url)
export const linkFor = (invited: Invited): Promise<string> => makeLink(service().db, invited)
export const signedIn = (invited: Invited): Promise<Visitor> => signIn(service().url, service().db, invited)

/** The token of a sign-in link that a page shows. */
export const tokenIn = (page: string): string => /svc_in_[0-9A-Za-z]{43}/.exec(page)?.[0] ?? ''

/** The id of the member with this name. */
export async function personOf(orgId: string, name = 'Ada'): Promise<string> {
  const [row] = await rows<{ id: string }>(
    'select person_id as id from membership join person using (person_id) where org_id = $1::text and name = $2::text',
    orgId,
    name,
  )
  return row?.id ?? ''
}

/** A member of the organisation with this name: the fixture's datasets are those of a few. */
export async function memberOf(name: string = DEMO_ORGANISATION): Promise<Visitor> {
  const [row] = await rows<{ orgId: string }>('select org_id as "orgId" from organisation where name = $1::text', name)
  if (!row) throw new Error(`No organisation is named ${name}.`)
  return await signedIn({ orgId: row.orgId, role: 'member' })
}
