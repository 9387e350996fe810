/** The state of an organisation: a request that was refused has left it as it was. */
import type { Database } from '../../src/core/db/connect.js'

/** Every change of an organisation enters an event or changes one of these rows. */
export const stateOfOrganisation = (db: Database, orgId: string): Promise<object[]> =>
  db.rows(
    `select (select json_agg(m order by person_id) from membership as m where org_id = $1::text) as members,
       (select json_agg(s.token_hash order by s.token_hash) from session as s where org_id = $1::text) as sessions,
       (select json_agg(l order by token_hash) from sign_in_link as l where org_id = $1::text) as links,
       (select json_agg(k order by key_id) from api_key as k where org_id = $1::text) as keys,
       (select json_agg(p order by credential_id) from passkey as p
        where person_id in (select person_id from membership where org_id = $1::text)) as passkeys,
       (select row_to_json(o) from organisation as o where org_id = $1::text) as organisation,
       (select balance from account where org_id = $1::text) as balance,
       (select max(event_id) from key_event where org_id = $1::text) as event`,
    [orgId],
  )
