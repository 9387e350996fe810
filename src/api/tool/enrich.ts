/** POST /tools/enrich: a table of places comes in, and goes out with the columns that are asked for. */
import { finished } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, type Gunzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { type Bill, chargeUnlessHungUp, quoteCall } from '../../core/credits/index.js'
import { visibleDatasets } from '../../core/datasets/index.js'
import { withDeadline } from '../../core/db/index.js'
import { deadlineIn } from '../../core/deadline.js'
import { invalid, invalidBody } from '../../core/errors.js'
import { readColumns } from '../../core/table/index.js'
import { bucketsFor } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { enterIfRepeated } from '../http/idempotency.js'
import { priceParam, refuseUnknown } from '../http/params.js'
import { textParam } from '../http/query.js'
import { sendData } from '../http/send.js'
import type { Services } from '../../services.js'
import { type Enriched, enrichTable, keepBytes, payableOf, withFolder } from './table.js'

const PLACES = ['frame', 'lat', 'lon', 'state', 'lga', 'ward'] as const

export async function enrich(services: Services, call: Call, req: Request, res: Response): Promise<void> {
  const { asked, caller, deadline } = call
  refuseUnknown(asked, ['columns', 'price', ...PLACES])
  const isJson = Boolean(req.is('application/json'))
  if (!isJson && !req.is('text/csv')) throw invalidBody('Content-Type: text/csv or application/json is accepted.')
  const coding = req.get('Content-Encoding')?.toLowerCase() ?? 'identity'
  if (coding !== 'gzip' && coding !== 'identity') throw invalidBody('Content-Encoding: gzip is accepted.')
  const asksPrice = priceParam(asked)
  const reader = services.readerForRequest(deadline)
  const datasets = await visibleDatasets(withDeadline(services.authorityReader, deadline), reader, caller)
  const columns = await readColumns(reader, textParam(asked, 'columns', invalid) ?? 'frame,state,lga,ward', datasets)
  const places = PLACES.flatMap((name) => {
    const column = textParam(asked, name, invalid)
    return column === undefined ? [] : [[name, column] as const]
  })
  const hangUp = call.hangUp()
  await withFolder(async (fileIn) => {
    const path = fileIn('came')
    const source = coding === 'identity' ? req : unzipped(req)
    // Destroyed, the request could not be answered.
    const hash = await keepBytes(source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>, path)
    const buckets = bucketsFor(services, caller, 'frame.read')
    const named = Object.fromEntries(places)
    const table = await enrichTable(services, { path, isJson, asJson: isJson, named, columns, buckets, hangUp })
    if (!table) return
    const fresh = { ...call, deadline: deadlineIn(services.callMs) }
    const payable = payableOf(datasets, table)
    if (asksPrice) {
      const quote = await quoteCall(withDeadline(services.ledger.db, fresh.deadline), caller, payable)
      return await sendData(res.set('Cache-Control', 'no-store'), { rows: table.rows, found: table.found, ...quote })
    }
    await enterIfRepeated(services, fresh, ['enrich', hash, columns.map(({ text }) => text), places])
    const payer = { caller: { ...caller, deadline: fresh.deadline }, requestId: call.id }
    const bill = await chargeUnlessHungUp(services.ledger, payer, payable, hangUp)
    if (!bill) return
    services.metrics.countCharges(bill, payable)
    await sendTable(res, table, bill, isJson)
  })
}

function unzipped(req: Request): Gunzip {
  const unzip = createGunzip()
  // A pipe does not tell that the client hung up.
  finished(req, (error) => error && unzip.destroy(error))
  return req.pipe(unzip)
}

async function sendTable(res: Response, table: Enriched, { charged, leftOut }: Bill, isJson: boolean): Promise<void> {
  const dropped = leftOut.map(({ layerId }) => layerId)
  res.set({ 'Cache-Control': 'no-store', 'X-Charged': charged.join(','), 'X-Left-Out': dropped.join(',') })
  res.set('Content-Type', isJson ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8')
  async function* pieces(): AsyncGenerator<string> {
    if (isJson) yield `{"data":{"charged":${JSON.stringify(charged)},"leftOut":${JSON.stringify(leftOut)},"rows":[`
    yield* table.textWithout(dropped)
    if (isJson) yield ']}}'
  }
  // A client that hangs up ends the answer.
  await pipeline(pieces, res).catch((error: unknown) => {
    if (!res.destroyed) throw error
  })
}
