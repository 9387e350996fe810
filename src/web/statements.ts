/** Every read of the web app: the files of sql/web/ with the types of what goes in and comes out. */
import { statement } from '../db/statement.js'
import type { Role } from './roles.js'

export type SessionRow = {
  personId: string
  name: string
  email: string | null
  orgId: string
  orgName: string
  role: Role
  /** The row says of more than a minute ago that the person was here. */
  isStale: boolean
  organisations: { orgId: string; name: string }[]
}
/** The session of a request. */
export type Session = SessionRow & { tokenHash: Buffer }
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

export type OfferedLink = { orgName: string; role: Role; name: string | null }
export const linkOffered = statement<[tokenHash: Buffer], OfferedLink>('web/link_offered')

export type MemberRow = {
  personId: string
  name: string
  email: string | null
  role: Role
  joinedAt: Date
  seenAt: Date | null
}
export const membersOfOrganisation = statement<[orgId: string], MemberRow>('web/members_of_organisation')

export type InvitationRow = {
  invitationId: string
  name: string | null
  email: string | null
  role: Role
  madeBy: string | null
  validUntil: Date
}
export const invitationsOpen = statement<[orgId: string], InvitationRow>('web/invitations_open')
