/** Breaks the rules of signing in with an OpenID provider and with passkeys. */
import type { Mutant } from './mutant.js'

export const signInMutants: Mutant[] = [
  {
    breaks: 'another browser finishes a sign-in',
    file: 'dist/src/web/sign-in/attempt.js',
    from: ".where(sql `payload ->> 'browser'`, '=', browserHash(browser))",
    to: '',
    tests: ['web/openid'],
  },
  {
    breaks: 'an attempt lives on',
    file: 'dist/src/web/sign-in/attempt.js',
    from: ".where('valid_until', '>', now)",
    to: '',
    tests: ['web/openid'],
  },
  {
    breaks: 'the signature of an ID token is not checked',
    file: 'dist/src/web/sign-in/provider.js',
    from: 'enableNonRepudiationChecks(config);',
    to: '',
    tests: ['web/provider-faults'],
  },
  {
    breaks: 'the nonce is not checked',
    file: 'dist/src/web/sign-in/provider.js',
    from: 'expectedNonce: checks.nonce,',
    to: '',
    tests: ['web/provider-faults', 'web/openid'],
  },
  {
    breaks: 'a link binds a person anew',
    file: 'dist/src/web/sign-in/enter.js',
    from: "\n        .where('issuer', 'is', null)",
    to: '',
    tests: ['web/openid'],
  },
  {
    breaks: 'an e-mail address counts that the provider did not verify',
    file: 'dist/src/web/sign-in/enter.js',
    from: "claims['email_verified'] === false",
    to: 'false',
    tests: ['web/openid'],
  },
  {
    breaks: 'a claim changes a role that people gave',
    file: 'dist/src/web/sign-in/follow-claim.js',
    from: '!isFromClaim || wanted === role',
    to: 'wanted === role',
    tests: ['web/role-claim'],
  },
  {
    breaks: 'a passkey outlives a role by a claim',
    file: 'dist/src/web/sign-in/passkey.js',
    from: 'if (await hasRoleByClaim(run, personId))',
    to: 'if (false)',
    tests: ['web/passkeys'],
  },
  {
    breaks: 'a person adds a passkey that another began',
    file: 'dist/src/web/pages/passkeys.js',
    from: 'attempt?.personId !== personId',
    to: '!attempt',
    tests: ['web/passkeys'],
  },
  {
    breaks: 'the table of attempts keeps the token of the browser itself',
    file: 'dist/src/web/sign-in/attempt.js',
    from: "const browserHash = (token) => hashSecret(token).toString('hex')",
    to: 'const browserHash = (token) => token',
    tests: ['web/secrets'],
  },
]
