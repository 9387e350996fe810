/** Every read of the web app: the files of sql/web/ with the types of what goes in and comes out. */
import { statement } from '../../core/db/statement.js'
import type { Role } from '../../core/access/roles.js'

export type SessionRow = {
  personId: string
  name: string
  email: string | null
  orgId: string
  orgName: string
  plan: string
  role: Role
  /** `seen_at` is older than a minute. */
  isStale: boolean
  organisations: { orgId: string; name: string }[]
}
/** `isOfOperators`: the Owners and Admins of the organisation are operators. */
export type Session = SessionRow & { tokenHash: Buffer; isOfOperators: boolean }
export const sessionHolder = statement<[tokenHash: Buffer, idleHours: number], SessionRow>('web/session_holder')

export type OwnSessionRow = {
  sessionId: string
  isThis: boolean
  orgName: string
  madeBy: 'link' | 'openid' | 'passkey'
  fromAddress: string | null
  browser: string | null
  createdAt: Date
  seenAt: Date
}
export const sessionsOfPerson = statement<[personId: string, tokenHash: Buffer, idleHours: number], OwnSessionRow>(
  'web/sessions_of_person',
)

export const sessionsUnderWay = statement<[idleHours: number], { sessions: number }>('web/sessions_under_way')

/** `personId`: the person whom the link names; null for an invitation of anybody who has the link. */
export type OfferedLink = { orgName: string; role: Role; name: string | null; personId: string | null }
export const linkOffered = statement<[tokenHash: Buffer], OfferedLink>('web/link_offered')

export type MemberRow = {
  personId: string
  name: string
  email: string | null
  role: Role
  /** Null: the person may spend all credits of the organisation. */
  dailyCredits: number | null
  joinedAt: Date
  seenAt: Date | null
}
export const membersOfOrganisation = statement<[orgId: string], MemberRow>('web/members_of_organisation')

export type InvitationRow = {
  invitationId: string
  name: string | null
  email: string | null
  /** The link is of a person who is here already. */
  isOfPerson: boolean
  role: Role
  madeBy: string | null
  madeAt: Date
  validUntil: Date
}
export const invitationsOpen = statement<[orgId: string], InvitationRow>('web/invitations_open')

/** Days are UTC, such as "2026-11-22". */
export type DayOfUse = {
  day: string
  calls: number
  answered: number
  refused: number
  failed: number
  hungUp: number
}
export const useByDay = statement<[keyIds: string[], first: string, last: string], DayOfUse>('web/use_by_day')

export type OutcomeOfUse = {
  call: string
  outcome: string
  bucket: string
  calls: number
  lastRequestId: string | null
}
export const useByOutcome = statement<[keyIds: string[], first: string, last: string], OutcomeOfUse>(
  'web/use_by_outcome',
)

export type KeyOfUse = {
  keyId: string
  name: string
  lastFour: string
  calls: number
  unanswered: number
  seenAt: Date | null
}
export const useByKey = statement<[orgId: string, first: string, last: string], KeyOfUse>('web/use_by_key')

export type UseRow = OutcomeOfUse & { day: string; keyId: string; keyName: string }
export const useOfDay = statement<[keyIds: string[], day: string], UseRow>('web/use_of_day')

export type WordedNow = { plan: string; byAllowance: number; byCredits: number; today: number }
export const wordedAnswersNow = statement<[orgId: string], WordedNow>('web/worded_answers_now')

/** The month is that of UTC, such as "2026-11". */
export type UnknownWord = { month: string; word: string; times: number }
export const unknownWords = statement<[orgId: string, mostOfMonth: number], UnknownWord>('web/unknown_words')

/** `leftToday` is null where no owner has set how much the person may spend in a day. */
export type Purse = { balance: number; leftToday: number | null }
export const purseOfPerson = statement<[orgId: string, personId: string], Purse>('web/purse_of_person')

export type DayOfCredits = { day: string; datasets: number; worded: number; refunds: number; topUps: number }
export const creditsByDay = statement<[orgId: string, first: string, last: string], DayOfCredits>('web/credits_by_day')

type CreditSpending = { name: string | null; charges: number; credits: number; refunds: number }
/** Worded answers have no dataset. */
export type DatasetSpending = CreditSpending & { layerId: string | null }
export const creditsByDataset = statement<[orgId: string, first: string, last: string], DatasetSpending>(
  'web/credits_by_dataset',
)

export type KeySpending = CreditSpending & { keyId: string | null; lastFour: string | null }
export const creditsByKey = statement<[orgId: string, first: string, last: string], KeySpending>('web/credits_by_key')

export type CreditEntry = {
  entryId: string
  enteredAt: Date
  kind: 'top_up' | 'dataset' | 'worded' | 'refund'
  layerId: string | null
  dataset: string | null
  keyId: string | null
  keyName: string | null
  lastFour: string | null
  requestId: string
  credits: number
  balance: number
}
export const creditEntries = statement<
  [orgId: string, first: string, last: string, before: string, most: number],
  CreditEntry
>('web/credit_entries')

export type UseOfRequest = Omit<UseRow, 'lastRequestId'> & { lastFour: string }
export const useOfRequest = statement<[orgId: string, requestId: string, days: number], UseOfRequest>(
  'web/use_of_request',
)

export const entriesOfRequest = statement<
  [orgId: string, requestId: string],
  { entryId: string; keyId: string | null }
>('web/entries_of_request')

export type EntryAround = Omit<CreditEntry, 'balance'>
export const entriesAround = statement<
  [orgId: string, entryId: string, keyId: string | null, most: number],
  EntryAround
>('web/entries_around')

export type KeyOnPage = {
  keyId: string
  name: string
  lastFour: string
  capabilities: string[]
  /** Null for all that the organisation can read. */
  datasets: string[] | null
  mintedAt: Date
  /** Null for the command line, and where the person is gone. */
  mintedBy: string | null
  expiresAt: Date
  revokedAt: Date | null
  endsAt: Date
  isUsable: boolean
  rolledFrom: string | null
  rolledTo: string | null
  seenAt: Date | null
  /** A call of the key was charged. */
  wasCharged: boolean
}
export const keysOfOrganisation = statement<[orgId: string], KeyOnPage>('web/keys_of_organisation')

/** `place` counts from the first of the days. */
export type DayOfKey = { keyId: string; place: number; calls: number; unanswered: number }
export const useOfLastDays = statement<[keyIds: string[], days: number], DayOfKey>('web/use_of_last_days')

export type RefusalOfKey = {
  keyId: string
  outcome: string
  bucket: string
  calls: number
  lastRequestId: string | null
}
export const refusalsOfLastDays = statement<[keyIds: string[], days: number], RefusalOfKey>('web/refusals_of_last_days')

export type DatasetToChoose = {
  layerId: string
  name: string
  owner: string
  kind: 'frames' | 'points' | 'lines' | 'polygons'
  vintage: string | null
  price: number | null
  /** The organisation reads it by the licence of everyone. */
  isForEveryone: boolean
  ownerSince: number
}
export const datasetsToChoose = statement<[orgId: string], DatasetToChoose>('web/datasets_to_choose')

export type EventRow = {
  eventId: string
  action: string
  keyId: string | null
  keyName: string | null
  actor: string
  /** The person changed what concerns the same person. */
  isOwnChange: boolean
  fromAddress: string | null
  detail: Readonly<Record<string, unknown>>
  enteredAt: Date
}
export const eventsOfOrganisation = statement<[orgId: string, before: string, most: number], EventRow>(
  'web/events_of_organisation',
)
export const eventsAround = statement<[orgId: string, eventId: string, most: number], EventRow>('web/events_around')
export const eventsOfKey = statement<[keyId: string, most: number], EventRow>('web/events_of_key')

export type PasskeyRow = {
  credentialId: string
  name: string
  transports: string[]
  createdAt: Date
  usedAt: Date | null
}
export const passkeysOfPerson = statement<[personId: string], PasskeyRow>('web/passkeys_of_person')

export const roleByClaim = statement<[personId: string], { orgId: string }>('web/role_by_claim')

/** `counter` is a bigint, which the driver reads as a text. */
export type PresentedPasskey = { personId: string; publicKey: Buffer; counter: string; transports: string[] }
export const passkeyPresented = statement<[credentialId: string], PresentedPasskey>('web/passkey_presented')
