/** An organisation of its own for a test: its people, its links, its rows, and what is left as it was. */
import { license } from '../../src/core/access/licences.js'
import type { Role } from '../../src/core/access/roles.js'
import { makeLink, signIn, visit, type Invited, type Visitor } from '../support/browse.js'
import { balanceOf, credit } from '../support/datasets.js'
import { enterMember } from '../support/people.js'
import { mint, newOrganisation, service, startService, type Minted, type Service } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'

type Event = {
  action: string
  actor: string
  about: string | null
  from: string | null
  detail: Record<string, string>
}

export type Organisation = Awaited<ReturnType<typeof organisation>>

/** The service of this process has its pages, or another one. */
export async function organisation({ url, db }: Pick<Service, 'url' | 'db'> = service()) {
  const orgId = await newOrganisation(db)
  /** $1 is the organisation. */
  const rowsOf = <Row>(text: string, ...args: unknown[]) => db.rows<Row>(text, [orgId, ...args])
  return {
    orgId,
    rows: rowsOf,
    /** A person of the organisation who signs in: a new one, or `personId`. */
    enter: (name = 'Ada', role: Role = 'owner', personId?: string): Promise<Visitor> =>
      signIn(url, db, { orgId, name, role, ...(personId !== undefined && { personId }) }),
    /** Enters a member, and returns the id. */
    add: (name: string, role: Role = 'member', email?: string): Promise<string> =>
      enterMember(db, { orgId, role, name, ...(email !== undefined && { email }) }),
    /** Makes a person of another organisation a member of this one. */
    join: (personId: string, role: Role = 'owner') =>
      rowsOf('insert into membership (person_id, org_id, role) values ($2::text, $1::text, $3::text)', personId, role),
    link: (invited: Omit<Invited, 'orgId'> = {}): Promise<string> => makeLink(db, { orgId, ...invited }),
    /** The names and roles of the members. */
    members: async (): Promise<string[]> => {
      const found = await rowsOf<{ member: string }>(
        `select name || ' ' || role as member from membership join person using (person_id)
         where org_id = $1::text order by name, role`,
      )
      return found.map(({ member }) => member)
    },
    idOf: async (name = 'Ada'): Promise<string> => {
      const [row] = await rowsOf<{ id: string }>(
        'select person_id as id from membership join person using (person_id) where org_id = $1::text and name = $2::text',
        name,
      )
      return row?.id ?? ''
    },
    events: async (...actions: string[]): Promise<Event[]> =>
      Array.from(
        await rowsOf<Event>(
          `select action, actor, person_id as about, from_address as "from", detail from key_event
           where org_id = $1::text and action = any($2::text[]) order by event_id`,
          actions,
        ),
      ),
    /** May read a dataset that costs 2 credits a call, and has so many credits. */
    buys: async (credits: number) => {
      await license(db.run, 'lyr_market', orgId, 2)
      await credit(db, orgId, credits)
    },
    balance: (): Promise<number> => balanceOf(db, orgId),
    key: (over: Parameters<typeof mint>[1] = {}): Promise<Minted> => mint(db, { org: orgId, ...over }),
    /** Every change of an organisation enters an event or changes one of these rows. */
    state: (): Promise<object[]> =>
      rowsOf(
        `select (select json_agg(m order by person_id) from membership as m where org_id = $1::text) as members,
           (select json_agg(s.token_hash order by s.token_hash) from session as s where org_id = $1::text) as sessions,
           (select json_agg(l order by token_hash) from sign_in_link as l where org_id = $1::text) as links,
           (select json_agg(k order by key_id) from api_key as k where org_id = $1::text) as keys,
           (select json_agg(p order by credential_id) from passkey as p
            where person_id in (select person_id from membership where org_id = $1::text)) as passkeys,
           (select row_to_json(o) from organisation as o where org_id = $1::text) as organisation,
           (select balance from account where org_id = $1::text) as balance,
           (select max(event_id) from key_event where org_id = $1::text) as event`,
      ),
    /** Ids of what it has, by the names of parameters: an invitation, a session, a key, and a member with a passkey. */
    ids: async () => {
      const [found] = await rowsOf<Record<'personId' | 'invitationId' | 'sessionId' | 'keyId' | 'passkey', string>>(
        `select (select person_id from membership where org_id = $1::text and role <> 'owner' limit 1) as "personId",
           (select left(encode(token_hash, 'hex'), 16) from sign_in_link where org_id = $1::text and used_at is null) as "invitationId",
           (select left(encode(token_hash, 'hex'), 16) from session where org_id = $1::text order by created_at desc limit 1) as "sessionId",
           (select min(key_id) from api_key where org_id = $1::text) as "keyId", 'passkey-' || $1::text as passkey`,
      )
      if (!found) throw new Error('A select without a table has a row.')
      return found
    },
    addPasskey: (personId: string, name: string) =>
      rowsOf(
        `insert into passkey (credential_id, person_id, public_key, name) values ('passkey-' || $1::text, $2::text, 'x', $3::text)`,
        personId,
        name,
      ),
  }
}

type Settings = NonNullable<Parameters<typeof startService>[1]>
type Served = Awaited<ReturnType<typeof startService>> & { wording: WordingServer }

/** A service with settings of its own, and a wording engine, while the tests of a suite run. */
export function serving(settings: Settings | (() => Promise<Settings>) = {}): Served {
  const served: Partial<Served> = {}
  before(async () => {
    const wording = await startWordingServer()
    const given = typeof settings === 'function' ? await settings() : settings
    const all = { publicUrl: 'listening', wordingUrl: wording.url, ...given }
    Object.assign(served, await startService(service().database, all), { wording })
  })
  after(async () => {
    await served.stop?.()
    await served.wording?.close()
  })
  return served as Served
}

/** What the page of a link answers, and what its button does. */
export const look = async (t: string): Promise<number> => (await visit(service().url).get(`/app/link?t=${t}`)).status
export const spend = async (t: string): Promise<number> => (await visit(service().url).post('/app/link', { t })).status
