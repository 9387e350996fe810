/** The options of commands that read frames and values, through the API or from the database. */
import type { Config } from '../../server/config.js'
import type { Database } from '../../core/db/connect.js'
import { apiAt, type Api } from '../export/api.js'
import type { QuoteData } from '../export/database-api.js'
import { checkReadable, quoteFor } from '../export/readable.js'
import { checkReadableByKey } from '../export/readable-by-key.js'
import { DATASETS_MAX } from '../../api/http/param-schemas.js'
import { UsageError, type Output } from './command.js'
import { withDatabase } from './open-database.js'
import { anyValue, listValue, organisationValue } from './values.js'

export const DATA_OPTION = {
  value: listValue('LIST', 'ids of baselines such as lyr_population'),
  description: 'adds the values of these datasets, a column for each attribute',
  default: 'no values',
} as const

export const DRY_RUN_OPTION = {
  description: 'with --data: says what the values would cost now, in all and by dataset; writes and charges nothing',
} as const

export const FORMULA_OPTION = {
  description:
    'writes every text of a CSV as it is; otherwise one that begins with =, +, -, @ or a tab gets an apostrophe in front, so that no spreadsheet runs it as a formula',
} as const

export const API_OPTIONS = {
  url: {
    value: anyValue('URL', 'an address such as http://127.0.0.1:3000'),
    description: 'where the API is',
    default: 'HOST and PORT of the environment, http://127.0.0.1:3000',
  },
  key: {
    value: anyValue('SECRET', 'the secret of a key'),
    description: 'the key to ask with; in the environment, other users of this machine cannot see it',
    default: 'FRAMES_KEY of the environment',
  },
} as const

export const ORG_OPTION = {
  value: organisationValue,
  description: 'reads the database as this organisation may, in place of the API',
} as const

type ApiAccess = { url: string | undefined; key: string | undefined }

/** Refuses `layers` that the key cannot read. */
export async function apiFrom(
  { url: address, key }: ApiAccess,
  layers: readonly string[],
  config: Config,
  { progress }: Output,
): Promise<[api: Api, url: string]> {
  const url = urlFor(address, config)
  const secret = secretFor(key, config)
  await checkReadableByKey(url, secret, layers)
  return [apiAt(url, secret, progress), url]
}

/** The database of DATABASE_URL, or the embedded one. Values need an organisation that may read them. */
export async function withLayers<Answer>(
  config: Config,
  { org, layers }: { org: string | undefined; layers: string[] },
  work: (db: Database) => Promise<Answer>,
): Promise<Answer> {
  return await withDatabase(config, async (db) => {
    if (org !== undefined) await checkReadable(db, org, layers)
    return await work(db)
  })
}

/** The prices of an organisation's calls, from the database. */
export async function withPrices<Answer>(
  config: Config,
  { org, layers }: { org: string; layers: string[] },
  work: (db: Database, quote: QuoteData) => Promise<Answer>,
): Promise<Answer> {
  return await withDatabase(config, async (db) => await work(db, await quoteFor(db, org, layers)))
}

export function checkDryRun(isDryRun: boolean, layers: readonly string[]): void {
  if (isDryRun && layers.length === 0)
    throw new UsageError('--dry-run goes with --data: only values of datasets have a price.')
}

export function checkSource({ org, url, key }: ApiAccess & { org: string | undefined }): void {
  if (org !== undefined && (url ?? key) !== undefined)
    throw new UsageError('--org reads the database, --url and --key read the API: use --org or --url, not both.')
}

/** Each dataset once. A call of the API takes so many. */
export function layersIn(data: string[] = []): string[] {
  const layers = [...new Set(data)]
  if (layers.length > DATASETS_MAX) throw new UsageError(`--data: ${layers.length} given, at most ${DATASETS_MAX}.`)
  const odd = layers.find((layer) => !/^lyr_\w+$/.test(layer))
  if (odd !== undefined) throw new UsageError(`--data: ids such as lyr_population are accepted, "${odd}" came.`)
  return layers
}

export function urlFor(option: string | undefined, { host, port }: Config): string {
  const url = option ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (!/^https?:\/\/[^/]/.test(url))
    throw new UsageError(`--url: an address such as http://127.0.0.1:3000 is accepted, "${url}" came.`)
  return url.replace(/\/+$/, '')
}

export function secretFor(option: string | undefined, { key }: Config): string {
  const secret = option ?? key
  if (secret === undefined) throw new UsageError('A key is needed: FRAMES_KEY in the environment, or --key.')
  return secret
}
