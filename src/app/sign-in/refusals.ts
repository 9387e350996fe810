/** Makes the refusals of a sign-in with the OpenID provider or a passkey: each has a function. */
import { refusal } from '../shell/refusals.js'
import { WHY_NO_PASSKEYS } from './passkey-form.js'

const BEGIN_AGAIN = 'Nobody was signed in. Begin again on the sign-in page.'

export const attemptNotFound = () =>
  refusal(400, 'attempt', {
    title: 'This sign-in has ended',
    message: `It took over ten minutes, was finished before, or began in another browser. ${BEGIN_AGAIN}`,
  })
export const providerAway = (name: string) =>
  refusal(503, 'provider', {
    title: `${name} does not answer`,
    message: 'Nobody was signed in. Try again in a minute. If it goes on, tell the people who run this service.',
    headers: { 'Retry-After': '60' },
  })
export const providerRefused = (name: string, code: string) =>
  refusal(403, 'provider', {
    title: `${name} did not sign you in`,
    message: `It answered "${code}". ${BEGIN_AGAIN}`,
  })
export const providerInvalid = (name: string) =>
  refusal(502, 'provider', {
    title: `The answer of ${name} is not right`,
    message: `It fails a check. The log of this service says which one. ${BEGIN_AGAIN}`,
  })
export const noAccess = () =>
  refusal(403, 'no_access', {
    title: 'You are not a member of an organisation here',
    message: 'Ask an Owner of your organisation for an invitation. Open it, and sign in from its page.',
  })
export const lastOwnerByClaim = () =>
  refusal(409, 'last_owner', {
    title: 'Your organisation would lose its last Owner',
    message:
      'Your account no longer has the role here, and the organisation has no other Owner. Nobody was signed in, and nothing was changed. The people who run this service can name another Owner.',
  })
export const otherAccount = (message: string) =>
  refusal(409, 'other_account', {
    title: 'This is another account',
    message: `${message} Nothing was done, and the link can still be used.`,
  })
export const passkeyNotValid = () =>
  refusal(400, 'passkey', {
    title: 'This passkey does not sign you in',
    message:
      'It was removed, took over ten minutes, or failed a check. Nothing was done. Try again, or use another way.',
  })
export const passkeysNotOffered = () =>
  refusal(404, 'passkey', {
    title: 'There are no passkeys at this address',
    message: WHY_NO_PASSKEYS,
  })
export const passkeyBesideClaim = () =>
  refusal(403, 'passkey', {
    title: 'Your organisation decides at its provider who signs in',
    message: 'Your role comes from the provider, so only the provider signs you in. Nothing was done.',
  })
