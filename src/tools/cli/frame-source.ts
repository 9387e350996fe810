/** The options of commands that write frames with values, and the rights that these values are read with. */
import type { Config } from '../../server/config.js'
import type { Database } from '../../core/db/connect.js'
import { checkReadable, type ReaderName } from '../export/readable.js'
import { DATASETS_MAX } from '../../api/http/param-schemas.js'
import { UsageError } from './command.js'
import { withDatabase } from './open-database.js'
import { keyValue, listValue, organisationValue } from './values.js'

export const VALUE_OPTIONS = {
  'with-units': { description: 'adds the administrative units of each frame' },
  data: {
    value: listValue('LIST', 'ids of baselines such as lyr_population'),
    description: 'adds the values of these datasets, a column for each attribute',
    default: 'no values',
  },
  org: {
    value: organisationValue,
    description: 'reads the values of --data as this organisation may',
    default: 'no values',
  },
  key: { value: keyValue, description: 'reads the values of --data as the holder of this key may' },
  'no-formula-guard': {
    description:
      'writes every text of a CSV as it is; otherwise one that begins with =, +, -, @ or a tab gets an apostrophe in front, so that no spreadsheet runs it as a formula',
  },
} as const

/** The database of DATABASE_URL, or the embedded one. Everybody who reads it may read frames; values have rights. */
export async function withFrames<Answer>(
  config: Config,
  { data, org, key }: ReaderName & { data: string[] | undefined },
  work: (db: Database, layers: string[]) => Promise<Answer>,
): Promise<Answer> {
  const layers = layersIn(data)
  if (org !== undefined && key !== undefined)
    throw new UsageError('--org and --key: one of them is accepted, since a key belongs to an organisation.')
  const isNamed = (org ?? key) !== undefined
  if (layers.length > 0 && !isNamed)
    throw new UsageError('--data: --org names the organisation that reads, or --key the id of its key.')
  return await withDatabase(config, async (db) => {
    if (isNamed) await checkReadable(db, { org, key }, layers)
    return await work(db, layers)
  })
}

/** Each dataset once. */
function layersIn(data: string[] = []): string[] {
  const layers = [...new Set(data)]
  if (layers.length > DATASETS_MAX) throw new UsageError(`--data: ${layers.length} given, at most ${DATASETS_MAX}.`)
  const odd = layers.find((layer) => !/^lyr_\w+$/.test(layer))
  if (odd !== undefined) throw new UsageError(`--data: ids such as lyr_population are accepted, "${odd}" came.`)
  return layers
}
