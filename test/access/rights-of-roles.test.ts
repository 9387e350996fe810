import assert from 'node:assert/strict'
import postgres from 'postgres'
import { urlOf } from '../support/database.js'
import { service } from '../support/service.js'

type Rights = {
  /** The role reads no column of these tables, and none of these columns. */
  unread: string[]
  /** All that it changes: a table and what it does there, with the columns where it updates some of them only. */
  writes: string[]
}

const PEOPLE = ['membership', 'passkey', 'person', 'session', 'sign_in_attempt', 'sign_in_link', 'key_event']
const FRAMES = ['baseline_row', 'feature', 'feature_frame', 'frame', 'frame_run', 'unit_area']
const UNITS = ['state', 'lga', 'ward', 'class', 'property', 'index_generation']
const LEDGER = ['account', 'credit_entry', 'voided_call', 'worded_hold', 'worded_use']

const rightsOf: Record<string, Rights> = {
  service: {
    unread: PEOPLE,
    writes: [
      'key_seen: insert, update seen_at',
      'key_use: insert, update calls last_request_id',
      'unknown_word: insert, update times',
    ],
  },
  console: {
    unread: [...FRAMES, ...UNITS, 'voided_call', 'worded_hold', 'migration', 'api_key.secret_hash'],
    writes: [
      'api_key: insert, update daily_credits daily_words monthly_credits monthly_words revoked_at',
      'membership: insert, update daily_credits role, delete',
      'passkey: insert, update counter name used_at, delete',
      'person: insert, update email issuer name subject',
      'session: insert, update org_id seen_at, delete',
      'sign_in_attempt: insert, delete',
      'sign_in_link: insert, update used_at, delete',
    ],
  },
  analyst: {
    unread: [...PEOPLE, ...LEDGER, 'api_key', 'key_use', 'key_seen', 'unknown_word', 'organisation', 'licence'],
    writes: [],
  },
}

type Table = { name: string; columns: string[] }

describe('on every table', () => {
  let tables: Table[]
  before(async () => {
    tables = await service().db.rows<Table>(
      `select relname::text as name, array(
           select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped order by attname
         ) as columns
       from pg_class as c
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
         and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
       order by relname`,
      [],
    )
  })

  /** Runs statements as a role, each in a transaction that is undone, and says whether the role may. */
  async function tryAs<Result>(role: string, work: (may: (statement: string) => Promise<boolean>) => Promise<Result>) {
    const url = urlOf(service().database.adminTarget).replace('//postgres@', `//frames_${role}@`)
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    const undone = new Error('undone')
    const may = async (statement: string) => {
      const tried = sql.begin('read write', async (inside) => {
        await inside.unsafe(statement)
        throw undone
      })
      return await tried.catch((error: Error) => !error.message.startsWith('permission denied'))
    }
    try {
      return await work(may)
    } finally {
      await sql.end()
    }
  }

  for (const [role, { unread, writes }] of Object.entries(rightsOf)) {
    it(`frames_${role} changes what it has to, and nothing else`, async () => {
      const found = await tryAs(role, async (may) => {
        const lines: string[] = []
        for (const { name, columns } of tables) {
          const updated: string[] = []
          for (const column of columns)
            if (await may(`update public.${name} set "${column}" = default where false`)) updated.push(column)
          const kinds = [
            (await may(`insert into public.${name} default values`)) && 'insert',
            updated.length > 0 && (updated.length === columns.length ? 'update' : `update ${updated.join(' ')}`),
            (await may(`delete from public.${name} where false`)) && 'delete',
            (await may(`truncate public.${name}`)) && 'truncate',
          ].filter((kind) => kind !== false)
          if (kinds.length > 0) lines.push(`${name}: ${kinds.join(', ')}`)
        }
        return lines
      })
      assert.deepEqual(found, writes)
    })

    it(`frames_${role} reads none of ${unread.length} tables and columns that are not its own`, async () => {
      const read = await tryAs(role, async (may) => {
        const found: string[] = []
        for (const each of unread) {
          const [name = '', only] = each.split('.')
          const columns = only === undefined ? tables.find((table) => table.name === name)?.columns : [only]
          assert.ok(columns, `there is no table ${name}`)
          for (const column of columns)
            if (await may(`select "${column}" from public.${name}`)) found.push(`${name}.${column}`)
        }
        return found
      })
      assert.deepEqual(read, [])
    })
  }
})
