/** POST /app/sign-in/passkey and the challenge before it: signs a person in with a passkey. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { sql } from 'kysely'
import type { Request as ExpressRequest, RequestHandler, Response } from 'express'
import { hashSecret, nameActor } from '../../core/access/index.js'
import { builder, type RunQuery } from '../../core/db/index.js'
import { meteredLookUp } from '../../api/http/authenticate.js'
import type { Services } from '../../services.js'
import { goBack } from '../shell/way-back.js'
import { clientOf, openSession } from '../shell/session.js'
import { replaceSession } from '../shell/sign-out.js'
import { passkeyPresented } from '../shell/statements.js'
import { beginAttempt, forgetBrowser, takeAttempt } from './attempt.js'
import { hasRoleByClaim, organisationToShow } from './enter.js'
import { findPerson, type SignInClient } from './link.js'
import { loadPasskeyLibrary, readPasskeyAnswer, relyingParty } from './passkey-answer.js'
import { noAccess, passkeyBesideClaim, passkeyNotValid } from './refusals.js'

/** The challenge names no passkey: the browser offers those that it has. */
export function offerSignInRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const { id } = relyingParty(req)
    // The bucket of the client's address pays for the row of each attempt.
    await meteredLookUp(services, { hash: 'attempt', find: async () => undefined, isSignIn: true }, req, res)
    const { generateAuthenticationOptions } = await loadPasskeyLibrary()
    const options = await generateAuthenticationOptions({ rpID: id, userVerification: 'required' })
    await beginAttempt(res, { kind: 'passkey', token: options.challenge, payload: { personId: undefined } })
    res.json(options)
  }
}

export function passkeySignInRoute(services: Services): RequestHandler {
  const { metrics } = services
  return async (req, res) => {
    const session = await proveAndEnter(services, req, res).catch((fault: unknown) => {
      metrics.count('frames_sign_ins_total', { way: 'passkey', outcome: 'refused' })
      throw fault
    })
    metrics.count('frames_sign_ins_total', { way: 'passkey', outcome: 'accepted' })
    await replaceSession(res, session)
    forgetBrowser(res)
    goBack(res)
  }
}

async function proveAndEnter(services: Services, req: ExpressRequest, res: Response): Promise<string> {
  const { answer, challenge } = readPasskeyAnswer(req)
  const find = () => takeAttempt(req, { kind: 'passkey', token: challenge })
  const hash = hashSecret(challenge).toString('hex')
  const attempt = await meteredLookUp(services, { hash, find, isSignIn: true }, req, res)
  if (!attempt || attempt.personId !== undefined) throw passkeyNotValid()
  const proved = await prove(req, answer, challenge)
  const client = clientOf(req)
  return await req.visit.db.change('src/app/sign-in/passkey.ts: enterByPasskey', (run) =>
    enterByPasskey(run, proved, client),
  )
}

type ProvedPasskey = { credentialId: string; counter: number }

async function prove(
  req: ExpressRequest,
  answer: AuthenticationResponseJSON,
  challenge: string,
): Promise<ProvedPasskey> {
  const { id, origin } = relyingParty(req)
  const [passkey] = await passkeyPresented(req.visit.db, answer.id)
  if (!passkey) throw passkeyNotValid()
  const { personId, publicKey, counter, transports } = passkey
  const handle = answer.response.userHandle
  if (handle !== undefined && Buffer.from(handle, 'base64url').toString() !== personId) throw passkeyNotValid()
  const credential = { id: answer.id, publicKey: new Uint8Array(publicKey), counter: Number(counter), transports }
  const { verifyAuthenticationResponse } = await loadPasskeyLibrary()
  const checked = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential,
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!checked?.verified) throw passkeyNotValid()
  return { credentialId: answer.id, counter: checked.authenticationInfo.newCounter }
}

async function enterByPasskey(
  run: RunQuery,
  { credentialId, counter }: ProvedPasskey,
  client: SignInClient,
): Promise<string> {
  // A copy of an authenticator counts from an older number. Many authenticators do not count, and send 0.
  const [used] = await run(
    builder
      .updateTable('passkey')
      .set({ counter: String(counter), used_at: sql<Date>`statement_timestamp()` })
      .where('credential_id', '=', credentialId)
      .where(sql<boolean>`(counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
      .returning('person_id'),
  )
  if (!used) throw passkeyNotValid()
  const { person_id: personId } = used
  // A passkey would let somebody in whose role the provider has ended since.
  if (await hasRoleByClaim(run, personId)) throw passkeyBesideClaim()
  const orgId = await organisationToShow(run, personId)
  if (orgId === undefined) throw noAccess()
  await nameActor(run, { ...(await findPerson(run, personId)), address: client.address })
  return await openSession(run, { personId, orgId, madeBy: 'passkey', ...client })
}
