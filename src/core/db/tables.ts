/** The tables that calls and commands write to, as Kysely sees them. `npm run schema` writes this file. */
import type { Generated } from 'kysely'

export type Tables = {
  account: { org_id: string; balance: Generated<string> }
  api_key: { key_id: string; org_id: string; secret_hash: Buffer; last_four: string; name: string; capabilities: string[]; datasets: string[] | null; created_at: Generated<Date>; expires_at: Date; revoked_at: Date | null; rolled_from: string | null; created_by: string | null; revoked_for_good: Generated<boolean>; daily_credits: number | null; monthly_credits: number | null; daily_words: number | null; monthly_words: number | null }
  credit_entry: { entry_id: Generated<string>; org_id: string; request_id: string; kind: 'top_up' | 'dataset' | 'worded' | 'refund'; ref: Generated<string>; key_id: string | null; credits: string; entered_at: Generated<Date> }
  dataset: { layer_id: string; org_id: string; name: string; category: string; kind: 'frames' | 'points' | 'lines' | 'polygons'; vintage: string | null; description: string | null; synonyms: Generated<string[]>; version: string; items: string; imported_at: Generated<Date>; distance_to: string | null; origin: Generated<unknown>; property_entries: Generated<unknown> }
  key_event: { event_id: Generated<string>; org_id: string; action: 'minted' | 'rolled' | 'revoked' | 'changed' | 'deleted' | 'invited' | 'link_made' | 'link_withdrawn' | 'joined' | 'role_changed' | 'limit_changed' | 'removed' | 'signed_in' | 'session_ended' | 'passkey_added' | 'passkey_removed' | 'created' | 'organisation_changed' | 'organisation_deleted' | 'topped_up'; key_id: string | null; person_id: string | null; actor_person: string | null; actor: string; from_address: string | null; detail: Generated<unknown>; entered_at: Generated<Date> }
  key_seen: { key_id: string; seen_at: Date }
  key_use: { key_id: string; day: Date; call: string; outcome: string; bucket: Generated<string>; calls: string; last_request_id: string | null }
  licence: { layer_id: string; org_id: string | null; price: number | null; file_price: number | null }
  membership: { person_id: string; org_id: string; role: 'owner' | 'admin' | 'member'; created_at: Generated<Date>; from_claim: Generated<boolean>; daily_credits: number | null }
  organisation: { org_id: string; name: string; plan: 'trial' | 'pro' | 'scale'; created_at: Generated<Date> }
  passkey: { credential_id: string; person_id: string; public_key: Buffer; counter: Generated<string>; transports: Generated<string[]>; name: string; created_at: Generated<Date>; used_at: Date | null }
  person: { person_id: string; name: string; email: string | null; issuer: string | null; subject: string | null; created_at: Generated<Date> }
  session: { token_hash: Buffer; person_id: string; org_id: string; made_by: 'link' | 'openid' | 'passkey'; from_address: string | null; browser: string | null; created_at: Generated<Date>; seen_at: Generated<Date>; ends_at: Date }
  sign_in_attempt: { token_hash: Buffer; kind: 'openid' | 'passkey'; payload: unknown; valid_until: Date }
  sign_in_link: { token_hash: Buffer; org_id: string; role: 'owner' | 'admin' | 'member'; person_id: string | null; name: string | null; email: string | null; created_by: string | null; created_at: Generated<Date>; valid_until: Date; used_at: Date | null }
  unknown_word: { org_id: string; month: Date; word: string; times: string }
}
