/** frames export: the frames of a unit or a box as a file, through the API. */
import type { Config } from '../config.js'
import { apiAt } from '../export/api.js'
import { exportFrames, type Exported } from '../export/export.js'
import type { Wanted } from '../export/pages.js'
import { readWords, UsageError, type Command } from './command.js'

type Options = Partial<Record<'state' | 'lga' | 'ward' | 'bbox' | 'page' | 'url' | 'key', string>>

export const exportCommand: Command = {
  usage: '--state S [--lga L [--ward W]] | --bbox BOX  [--with-units] [--page N] FILE.geojsonl|.csv|.gpkg',
  does: 'write the frames of a unit or a box to a file, through the API',
  run: async (config, words, out) => {
    const units = words.includes('--with-units')
    const others = words.filter((word) => word !== '--with-units')
    const { options, operands } = readWords(
      others,
      [],
      ['FILE'],
      ['state', 'lga', 'ward', 'bbox', 'page', 'url', 'key'],
    )
    const file = operands[0] ?? ''
    if (!/\.(geojsonl|csv|gpkg)$/i.test(file)) {
      throw new UsageError(`FILE: .geojsonl, .csv and .gpkg are accepted, "${file}" came.`)
    }
    const wanted = wantedOf(options)
    const url = urlOf(options.url, config)
    const made = await exportFrames(
      apiAt(url, keyOf(options.key, config), out.progress),
      { file, wanted, units, url },
      out.progress,
    )
    out.result(made, describe(made))
  },
}

function wantedOf({ state, lga, ward, bbox, page }: Options): Wanted {
  if ((state === undefined) === (bbox === undefined)) throw new UsageError('One of --state and --bbox is needed.')
  if (state === undefined && (lga ?? ward) !== undefined) throw new UsageError('--lga and --ward go with --state.')
  if (ward !== undefined && lga === undefined) throw new UsageError('--ward goes with --lga.')
  if (page !== undefined && !/^[1-9]\d{0,3}$/.test(page))
    throw new UsageError(`--page: 1 to 5000 frames a call are accepted, "${page}" came.`)
  return bbox === undefined ? { state: state ?? '', lga, ward, limit: page } : { bbox, limit: page }
}

function urlOf(given: string | undefined, { host, port }: Config): string {
  const url = given ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (!/^https?:\/\/[^/]/.test(url))
    throw new UsageError(`--url: an address such as http://127.0.0.1:3000 is accepted, "${url}" came.`)
  return url.replace(/\/+$/, '')
}

function keyOf(given: string | undefined, { key }: Config): string {
  const secret = given ?? key
  if (secret === undefined) throw new UsageError('A key is needed: FRAMES_KEY in the environment, or --key.')
  return secret
}

const describe = ({ file, frames, resumedAt }: Exported) =>
  `${file} has ${frames} frames${resumedAt > 0 ? `, ${resumedAt} of them from the run before` : ''}.`
