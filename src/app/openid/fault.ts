/** Faults of an OpenID provider, in the three kinds that a person can do something about. */
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'

/**
 * `away`: it does not answer, or not in time. `refused`: it answered that the person does not sign in. `invalid`: its
 * answer fails a check.
 */
type FaultKind = 'away' | 'refused' | 'invalid'

export class ProviderFault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The library wraps faults in faults. The message holds codes only: texts of the provider may hold tokens. */
export function describeFault(thrown: unknown): Error {
  const chain = causesOfFault(thrown)
  const known = chain.find((fault) => fault instanceof ProviderFault)
  if (known) return known
  for (const fault of chain) {
    // The provider refuses by these codes, such as access_denied or, for a code that was used, invalid_grant.
    if (fault instanceof AuthorizationResponseError || fault instanceof ResponseBodyError)
      return new ProviderFault('refused', /^[\w.-]{1,60}$/.test(fault.error) ? fault.error : 'an unknown code')
  }
  const code = chain.map((fault) => (fault as { code?: unknown }).code).find((each) => typeof each === 'string')
  if (code === undefined) return chain[0] ?? new Error('an unknown fault')
  return new ProviderFault('invalid', `${code}: ${chain.map(({ message }) => message).join(': ')}`)
}

/** Returns the fault, its cause, the cause of that, and so on. */
function causesOfFault(thrown: unknown): Error[] {
  const chain: Error[] = []
  for (let fault = thrown; fault instanceof Error && chain.length < 5; fault = fault.cause) chain.push(fault)
  return chain
}
