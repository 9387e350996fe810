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
    revoked_for_good: Generated<boolean>
    rolled_from: Generated<string | null>
    created_by: Generated<string | null>
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
    distance_to: string | null
    version: string
    items: string
    imported_at: Date
  }
  person: {
    person_id: string
    name: string
    email: Generated<string | null>
    issuer: Generated<string | null>
    subject: Generated<string | null>
    created_at: Generated<Date>
  }
  membership: {
    person_id: string
    org_id: string
    role: 'owner' | 'admin' | 'member'
    created_at: Generated<Date>
    from_claim: Generated<boolean>
    daily_credits: Generated<number | null>
  }
  session: {
    token_hash: Buffer
    person_id: string
    org_id: string
    made_by: 'link' | 'openid' | 'passkey'
    from_address: string | null
    browser: string | null
    created_at: Generated<Date>
    seen_at: Generated<Date>
    ends_at: Date
  }
  sign_in_link: {
    token_hash: Buffer
    org_id: string
    role: 'owner' | 'admin' | 'member'
    person_id: Generated<string | null>
    name: Generated<string | null>
    email: Generated<string | null>
    created_by: Generated<string | null>
    created_at: Generated<Date>
    valid_until: Date
    used_at: Generated<Date | null>
  }
  sign_in_attempt: {
    token_hash: Buffer
    kind: 'openid' | 'passkey'
    payload: unknown
    valid_until: Date
  }
  passkey: {
    credential_id: string
    person_id: string
    public_key: Buffer
    counter: Generated<string>
    transports: Generated<string[]>
    name: string
    created_at: Generated<Date>
    used_at: Generated<Date | null>
  }
  key_event: {
    event_id: Generated<string>
    org_id: string
    action: string
    key_id: string | null
    person_id: string | null
    actor_person: string | null
    actor: string
    from_address: string | null
    detail: unknown
    entered_at: Generated<Date>
  }
  key_use: {
    key_id: string
    day: Date
    call: string
    outcome: string
    bucket: Generated<string>
    calls: string
    last_request_id: string | null
  }
  key_seen: {
    key_id: string
    seen_at: Date
  }
  unknown_word: {
    org_id: string
    month: Date
    word: string
    times: string
  }
}
