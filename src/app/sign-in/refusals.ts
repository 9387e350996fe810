/** Makes the refusals of a sign-in with the OpenID provider or a passkey: each has a function. */
import { PageError } from '../shell/refusals.js'
import { WHY_NO_PASSKEYS } from './relying-party.js'

const BEGIN_AGAIN = 'Nobody was signed in. Begin again on the sign-in page.'

export const attemptNotFound = () =>
  new PageError({
    status: 400,
    reason: 'attempt',
    title: 'This sign-in has ended',
    message: `It took over ten minutes, was finished before, or began in another browser. ${BEGIN_AGAIN}`,
  })
export const providerAway = (name: string) =>
  new PageError({
    status: 503,
    reason: 'provider',
    title: `${name} does not answer`,
    message: 'Nobody was signed in. Try again in a minute. If it goes on, tell the people who run this service.',
    headers: { 'Retry-After': '60' },
  })
export const providerRefused = (name: string, code: string) =>
  new PageError({
    status: 403,
    reason: 'provider',
    title: `${name} did not sign you in`,
    message: `It answered "${code}". ${BEGIN_AGAIN}`,
  })
export const providerInvalid = (name: string) =>
  new PageError({
    status: 502,
    reason: 'provider',
    title: `The answer of ${name} is not right`,
    message: `It fails a check. The log of this service says which one. ${BEGIN_AGAIN}`,
  })
export const noAccess = () =>
  new PageError({
    status: 403,
    reason: 'no_access',
    title: 'You are not a member of an organisation here',
    message: 'Ask an Owner of your organisation for an invitation. Open it, and sign in from its page.',
  })
export const lastOwnerByClaim = () =>
  new PageError({
    status: 409,
    reason: 'last_owner',
    title: 'Your organisation would lose its last Owner',
    message:
      'Your account no longer has the role here, and the organisation has no other Owner. Nobody was signed in, and nothing was changed. The people who run this service can name another Owner.',
  })
export const otherAccount = (message: string) =>
  new PageError({
    status: 409,
    reason: 'other_account',
    title: 'This is another account',
    message: `${message} Nothing was done, and the link can still be used.`,
  })
export const passkeyNotValid = () =>
  new PageError({
    status: 400,
    reason: 'passkey',
    title: 'This passkey does not sign you in',
    message:
      'It was removed, took over ten minutes, or failed a check. Nothing was done. Try again, or use another way.',
  })
export const passkeysNotOffered = () =>
  new PageError({
    status: 404,
    reason: 'passkey',
    title: 'There are no passkeys at this address',
    message: WHY_NO_PASSKEYS,
  })
export const passkeyBesideClaim = () =>
  new PageError({
    status: 403,
    reason: 'passkey',
    title: 'Your organisation decides at its provider who signs in',
    message: 'Your role comes from the provider, so only the provider signs you in. Nothing was done.',
  })
