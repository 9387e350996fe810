/** Rows of the web app that several functions name. The types of their columns come from the headers of sql/web/. */
import type { RowOf } from '../../core/db/index.js'
import type * as read from './statements.js'

/** `isOfOperators`: the Owners and Admins of the organisation are operators. */
export type Session = RowOf<typeof read.sessionHolder> & { tokenHash: Buffer; isOfOperators: boolean }
export type OwnSessionRow = RowOf<typeof read.sessionsOfPerson>
/** `personId`: the person whom the link names; null for an invitation of anybody who has the link. */
export type OfferedLink = RowOf<typeof read.linkOffered>
/** `dailyCredits` is null where the person may spend all credits of the organisation. */
export type MemberRow = RowOf<typeof read.membersOfOrganisation>
/** `isOfPerson`: the link is of a person who is here already. */
export type InvitationRow = RowOf<typeof read.invitationsOpen>
export type PasskeyRow = RowOf<typeof read.passkeysOfPerson>

/** Days are UTC, such as "2026-11-22". */
export type DayOfUse = RowOf<typeof read.useByDay>
export type OutcomeOfUse = RowOf<typeof read.useByOutcome>
export type KeyOfUse = RowOf<typeof read.useByKey>
export type UseRow = RowOf<typeof read.useOfDay>
export type UseOfRequest = RowOf<typeof read.useOfRequest>
export type WordedNow = RowOf<typeof read.wordedAnswersNow>
/** The month is that of UTC, such as "2026-11". */
export type UnknownWord = RowOf<typeof read.unknownWords>

/** `leftToday` is null where no owner has set how much the person may spend in a day. */
export type Purse = RowOf<typeof read.purseOfPerson>
export type DayOfCredits = RowOf<typeof read.creditsByDay>
/** Worded answers have no dataset. */
export type DatasetSpending = RowOf<typeof read.creditsByDataset>
export type KeySpending = RowOf<typeof read.creditsByKey>
export type EntryAround = RowOf<typeof read.entriesAround>

/** `datasets` is null for all that the organisation can read; `mintedBy` for the command line, and a person who is gone. */
export type KeyOnPage = RowOf<typeof read.keysOfOrganisation>
/** `place` counts from the first of the days. */
export type DayOfKey = RowOf<typeof read.useOfLastDays>
export type RefusalOfKey = RowOf<typeof read.refusalsOfLastDays>
/** `isForEveryone`: the organisation reads it by the licence of everyone. */
export type DatasetToChoose = RowOf<typeof read.datasetsToChoose>
/** `isOwnChange`: the person changed what concerns the same person. */
export type EventRow = RowOf<typeof read.eventsOfOrganisation>
