/** The tables that calls and commands write to, as Kysely sees them. */
import type { Generated } from 'kysely'

export type Tables = {
  organisation: {
    org_id: string
    name: string
    plan: string
    created_at: Generated<Date>
  }
  api_key: {
    key_id: string
    org_id: string
    secret_hash: Buffer
    last_four: string
    name: string
    capabilities: string[]
    datasets: string[] | null
    created_at: Generated<Date>
    expires_at: Date
    revoked_at: Generated<Date | null>
  }
  account: {
    org_id: string
    balance: Generated<string>
  }
  credit_entry: {
    entry_id: Generated<string>
    org_id: string
    request_id: string
    kind: 'top_up' | 'dataset' | 'worded' | 'refund'
    ref: Generated<string>
    key_id: Generated<string | null>
    credits: string
    entered_at: Generated<Date>
  }
  voided_call: {
    org_id: string
    request_id: string
    voided_at: Generated<Date>
  }
  licence: {
    layer_id: string
    org_id: string | null
    price: number | null
  }
  dataset: {
    layer_id: string
    org_id: string
    name: string
    category: string
    kind: 'frames' | 'points' | 'lines' | 'polygons'
    vintage: string | null
    version: string
    items: string
    imported_at: Date
  }
  worded_use: {
    org_id: string
    day: Date
    by_allowance: Generated<number>
    by_credits: Generated<number>
  }
  worded_hold: {
    request_id: string
    org_id: string
    day: Date
    covered_by: 'allowance' | 'credits'
    expires_at: Date
    posted: Generated<boolean>
  }
}
