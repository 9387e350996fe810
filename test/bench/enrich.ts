/** Measures a table of 100,000 points with an attribute, beside the statement of its batches. */
import { rowsEnriched } from '../../src/core/db/statements.js'
import { randomNumbers } from '../support/random-numbers.js'
import { bestClients, pgbench, prepareScripts } from './pgbench.js'
import { forgetPeak, peakMiB, residentMiB } from './processes.js'
import { atLeast, atMost, told } from './report.js'
import type { RowOf } from './rows.js'
import { quickest } from './totals.js'

const ROWS = 100_000
const ROWS_OF_BATCH = 2000
const TURNS = 3

export const enrich: RowOf = {
  key: 'enrich',
  measure: async ({ machinery, service, asked: { boxes, readers, baselines } }) => {
    const next = randomNumbers(9)
    const between = (least: number, most: number) => (least + next() * (most - least)).toFixed(6)
    const points = Array.from({ length: ROWS }, (_, i) => {
      const { minLon, minLat, maxLon, maxLat } = boxes.boxes[i % boxes.boxes.length] ?? boxes.boxes[0]!
      return { lon: between(minLon, maxLon), lat: between(minLat, maxLat) }
    })
    const attribute = 'attribute_0'
    const body = ['shop,lat,lon', ...points.map(({ lon, lat }, i) => `Shop ${i},${lat},${lon}`)].join('\n')
    const post = async () => {
      const columns = `frame,state,lga,ward,${baselines[0]}.${attribute}`
      const answer = await fetch(`${service.url}/tools/enrich?columns=${columns}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${readers.secrets[0]}`, 'Content-Type': 'text/csv' },
        body,
      })
      const lines = (await answer.text()).split('\n').length
      if (answer.status !== 200 || lines !== ROWS + 2) throw new Error(`enrich: ${answer.status}, ${lines} lines.`)
    }
    const scripts = Array.from({ length: ROWS / ROWS_OF_BATCH }, (_, i) => {
      const some = points.slice(i * ROWS_OF_BATCH, (i + 1) * ROWS_OF_BATCH)
      const lists = [
        some.map(({ lon }) => lon),
        some.map(({ lat }) => lat),
        [],
        [],
        [],
        [],
        [baselines[0]],
        ['null'],
        ['null'],
      ]
      return { queries: [{ text: rowsEnriched.text, args: lists.map((list) => `{${list.join()}}`) }] }
    })
    const prepared = prepareScripts(scripts, machinery.folder)
    const { databaseUrl, pace } = machinery
    const clients = await bestClients(databaseUrl, prepared, pace.clients)
    await post()
    const before = residentMiB(service.pid)
    forgetPeak(service.pid)
    const bare = await pgbench(databaseUrl, prepared, clients, pace.seconds)
    const rate = ROWS / ((await quickest(post, TURNS)) / 1000)
    return {
      key: 'enrich',
      title: `a table of ${ROWS} points, five columns`,
      findings: [
        atLeast('rows a second', rate, 20_000),
        told(`the statement alone, ${clients} clients of pgbench`, bare.rate * ROWS_OF_BATCH, ' rows a second'),
        atMost('memory at its highest, more than before', peakMiB(service.pid) - before, 100, ' MiB'),
      ],
    }
  },
}
