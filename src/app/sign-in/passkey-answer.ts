/** Reads the answer of an authenticator, which a script puts into the field `answer` of a form; loads the library. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Request as ExpressRequest } from 'express'
import { textField } from '../shell/form.js'
import { passkeyNotValid, passkeysNotOffered } from './refusals.js'
import { relyingPartyOf, type RelyingParty } from './passkey-form.js'

/** The library checks which of the two it is, and the rest of the shape. */
type AnswerJson = RegistrationResponseJSON & AuthenticationResponseJSON

/** The library takes a quarter of a second to load, so the first passkey loads it, and not the start. */
export const loadPasskeyLibrary = () => import('@simplewebauthn/server')

/** The challenge finds the attempt. */
export function readPasskeyAnswer(req: ExpressRequest): { answer: AnswerJson; challenge: string } {
  try {
    const answer = JSON.parse(textField(req, 'answer')) as AnswerJson
    const client = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString()) as {
      challenge: unknown
    }
    if (typeof client.challenge === 'string' && typeof answer.id === 'string')
      return { answer, challenge: client.challenge }
  } catch {
    // The text is no answer of an authenticator.
  }
  throw passkeyNotValid()
}

export function relyingParty(req: ExpressRequest): RelyingParty {
  const party = relyingPartyOf(req.visit.place)
  if (!party) throw passkeysNotOffered()
  return party
}
