/** A consumer's program over the generated client: compiled strictly beside it, and run against the service. */
import { Api, type Frame, type HttpResponse } from './frames.js'

type Call = (...given: never[]) => Promise<HttpResponse<unknown, unknown>>
/** The refusals that the description declares for a call. */
type FailureOf<C extends Call> = Awaited<ReturnType<C>>['error']

export function clientOf(url: string, key: string): Api<string>['v1'] {
  const api = new Api<string>({
    baseUrl: url,
    baseApiParams: { secure: true },
    securityWorker: (secret) => ({ headers: { Authorization: `Bearer ${secret}` } }),
  })
  api.setSecurityData(key)
  return api.v1
}

type Client = ReturnType<typeof clientOf>

export async function frameAt(client: Client, lat: number, lon: number): Promise<{ frame: Frame; ward?: string }> {
  const { data } = await client.frameAt({ lat, lon })
  const ward: string | undefined = data.data.admin?.ward
  return ward === undefined ? { frame: data.data } : { frame: data.data, ward }
}

/** The ids of the frames of a state. An import between two pages is an error: they would be of two indexes. */
export async function idsOfState(client: Client, state: string, limit: number): Promise<string[]> {
  const ids: string[] = []
  let generation: string | null | undefined
  let after: string | undefined
  do {
    const page = await client.frames({ state, limit, ...(after !== undefined && { after }) })
    const now = page.headers.get('X-Index-Generation')
    if (generation !== undefined && now !== generation)
      throw new Error('The index changed during the walk: start again.')
    generation = now
    const found = page.data.data
    if (!('features' in found)) throw new Error('A unit answers with a collection.')
    ids.push(...found.features.map(({ id }) => id))
    after = found.next
  } while (after !== undefined)
  return ids
}

/** The code with which a point is refused: the compiler knows every one there is. */
export async function refusalOf(client: Client, lat: number, lon: number): Promise<string> {
  const answer = await client
    .frameAt({ lat, lon })
    .catch((refused: HttpResponse<never, FailureOf<Client['frameAt']>>) => refused)
  if (answer.ok) return 'none'
  const { code } = answer.error.error
  switch (code) {
    case 'invalid_point':
      return 'the point is wrong'
    case 'not_found':
      return 'the point is off the grid'
    case 'unauthorized':
    case 'invalid_key':
    case 'insufficient_scope':
      return `the key: ${code}`
    case 'rate_limited':
    case 'internal':
    case 'invalid':
      return code
    default:
      return never(code)
  }
}

const never = (code: never): string => `"${String(code)}" is not described`
