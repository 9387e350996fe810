/** /files: each dataset that a key may read, as a file with a stable address. One with a price is bought, once a version. */
import type { Express, RequestHandler, Response } from 'express'
import { counted } from '../../core/counted.js'
import { chargeCall, paidId, refundCall } from '../../core/credits/index.js'
import { visibleDatasets } from '../../core/datasets/index.js'
import { type DatasetRow, type Reader, type RowOf, withDeadline } from '../../core/db/index.js'
import { fileSales, filesOfDatasets } from '../../core/db/statements.js'
import { deadlineIn } from '../../core/deadline.js'
import { ApiError, internal, invalid, notFound, shortened } from '../../core/errors.js'
import { DATASET_FORMS, type DatasetForm } from '../../core/frame-file/index.js'
import type { Services } from '../../services.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { publicFile } from '../http/public-file.js'
import { textParam } from '../http/query.js'
import { otherMethods } from '../http/send-error.js'
import { sendData } from '../http/send.js'
import { filesDescription } from './openapi.js'

const VERSION = /^\d{8}T\d{12}Z$/
const NAME = new RegExp(`^(lyr_\\w+)\\.(${DATASET_FORMS.map((form) => form.replace('.', '\\.')).join('|')})$`)
const TYPES: Record<DatasetForm, string> = {
  parquet: 'application/vnd.apache.parquet',
  gpkg: 'application/geopackage+sqlite3',
  csv: 'text/csv; charset=utf-8',
  'attributes.json': 'application/json; charset=utf-8',
}
/** An import may come while a file is made or found. */
const ATTEMPTS = 5

export function addFiles(app: Express, services: Services, admitted: (route: Route) => RequestHandler): void {
  const at = (path: string, route: Route) => app.route(path).get(admitted(route)).all(otherMethods('GET, HEAD'))
  const description = publicFile('application/json; charset=utf-8', () =>
    Buffer.from(JSON.stringify(filesDescription())),
  )
  app.route('/files/openapi.json').get(description).all(otherMethods('GET, HEAD'))
  at('/files', async (call, res) => {
    const reader = services.readerForRequest(call.deadline)
    const list = await listFiles(services, call, reader)
    const unknown = await call.unlessCached(reader, { question: list, read: async () => list })
    if (unknown) await sendData(res, unknown)
  })
  at('/files/:name', (call, res) => sendDataset(services, call, res))
}

/** The licences are read anew each time, since a file may take a minute to make. */
async function readableBy(services: Services, { caller }: Call, given?: Reader): Promise<[DatasetRow[], Reader]> {
  const deadline = deadlineIn(services.callMs)
  const reader = given ?? services.readerForRequest(deadline)
  return [await visibleDatasets(withDeadline(services.authorityReader, deadline), reader, caller), reader]
}

async function listFiles(services: Services, call: Call, given: Reader): Promise<object> {
  const since = versionParam(call, 'since')
  const [datasets, reader] = await readableBy(services, call, given)
  const layers = datasets.map(({ layerId }) => layerId)
  const states = new Map((await filesOfDatasets(reader, layers)).map((state) => [state.layerId, state]))
  const priced = datasets.filter(({ price }) => price !== null)
  const sales = new Map((await salesOf(services, call, priced)).map((sale) => [sale.layerId, sale]))
  const isFile = ({ layerId, price }: DatasetRow) => price === null || isSold(sales.get(layerId))
  const listed = datasets.flatMap((dataset) => {
    const { items, origin = '{}' } = states.get(dataset.layerId) ?? {}
    return isFile(dataset) && dataset.version > (since ?? '') ? [{ ...dataset, items, origin }] : []
  })
  const files = listed.map(async ({ layerId, name, category, kind, orgId, vintage, items, version, origin }) => {
    const forms = DATASET_FORMS.filter((form) => kind === 'frames' || form !== 'attributes.json').map(async (form) => {
      const kept = await services.files.find({ layerId, version, form })
      return { path: `/files/${layerId}.${form}`, ...(kept && { size: kept.size, sha256: kept.sha256 }) }
    })
    const about = {
      layerId,
      name,
      category,
      kind,
      orgId,
      ...(vintage !== null && { vintage }),
      items,
      origin: JSON.parse(origin) as object,
      ...soldAs(sales.get(layerId)),
    }
    return { ...about, version, files: await Promise.all(forms) }
  })
  const leftOut = priced
    .filter((dataset) => !isFile(dataset))
    .map(({ layerId, name, price }) => ({ layerId, name, reason: 'price', price }))
  return { datasets: await Promise.all(files), leftOut }
}

async function sendDataset(services: Services, call: Call, res: Response): Promise<void> {
  const name = String(res.req.params['name'])
  const asked = versionParam(call, 'version')
  const [, layerId = '', form] = NAME.exec(name) ?? []
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const [datasets] = await readableBy(services, call)
    const dataset = datasets.find((each) => each.layerId === layerId)
    const ofKind = DATASET_FORMS.find((each) => each === form)
    if (!dataset || !ofKind || (ofKind === 'attributes.json' && dataset.kind !== 'frames'))
      throw notFound(
        `There is no file ${shortened(name)} that this key may read. GET /files lists those that are there.`,
      )
    const [sale] = dataset.price === null ? [] : await salesOf(services, call, [dataset])
    if (dataset.price !== null && !isSold(sale))
      throw notFound(
        `${layerId} costs ${counted(dataset.price, 'credit')} a call, so it is no file: GET /v1/frames/data reads it.`,
      )
    const { version } = dataset
    if (asked !== undefined && asked !== version)
      throw notFound(`Version ${asked} of ${layerId} is not served any more: ${version} is.`)
    const kept = await services.files.find({ layerId, version, form: ofKind })
    if (kept === undefined) await services.files.make(layerId, ofKind)
    else {
      const price = sale?.isPaid ? null : (sale?.price ?? null)
      if (price !== null && endsWithoutBytes(res, kept)) return
      const giveBack = await payFor(services, call, res, { ...dataset, price })
      if (await sendKept(res, kept, TYPES[ofKind])) return res.statusCode === 304 ? giveBack() : undefined
    }
  }
  throw internal()
}

type Sale = RowOf<typeof fileSales>

/** The primary knows what is paid. */
const salesOf = async (
  { ledger, callMs }: Services,
  { caller }: Call,
  datasets: readonly DatasetRow[],
): Promise<Sale[]> => {
  const [layers, versions] = [datasets.map(({ layerId }) => layerId), datasets.map(({ version }) => version)]
  return layers.length === 0
    ? []
    : await fileSales(withDeadline(ledger.db, deadlineIn(callMs)), caller.orgId, layers, versions)
}

/** A version that is paid for stays a file, whatever becomes of the price. */
const isSold = (sale: Sale | undefined): boolean => sale !== undefined && (sale.isPaid || sale.price !== null)
const soldAs = (sale: Sale | undefined) =>
  sale && isSold(sale) ? { isPaid: sale.isPaid, ...(sale.price !== null && { price: sale.price }) } : {}

/** Conditions that fail cost nothing: a version is charged with its first bytes. True where the client has the file. */
function endsWithoutBytes(res: Response, { size, sha256 }: { size: number; sha256: string }): boolean {
  const { req } = res
  const names = (header: 'If-Match' | 'If-None-Match') =>
    req
      .get(header)
      ?.split(',')
      .some((tag) => ['*', `"${sha256}"`, `W/"${sha256}"`].includes(tag.trim()))
  if (names('If-Match') === false) throw refusalOf(412)
  if (names('If-None-Match')) {
    res.set('ETag', `"${sha256}"`).status(304).end()
    return true
  }
  if (req.get('If-Range') !== undefined || req.range(size) !== -1) return false
  res.set('Content-Range', `bytes */${size}`)
  throw refusalOf(416)
}

/** HEAD gives no byte, and is charged nothing. Returns what gives the charge back, where the client gets no byte either. */
async function payFor(services: Services, call: Call, res: Response, file: DatasetRow): Promise<() => void> {
  const { layerId, version, price } = file
  if (price === null || res.req.method === 'HEAD') return () => {}
  const { ledger, metrics } = services
  const payer = {
    caller: { ...call.caller, deadline: deadlineIn(services.callMs) },
    requestId: call.id,
    walk: `file ${layerId} ${version}`,
  }
  const bill = await chargeCall(ledger, payer, [file])
  metrics.countCharges(bill, [file])
  const [lacking] = bill.leftOut
  if (lacking) {
    const why =
      lacking.reason === 'key_cap'
        ? 'the cap of this key has less left'
        : 'the credits of the organisation do not cover that'
    throw notFound(
      `${paidId(file)} as a file costs ${counted(price, 'credit')}, once for this version, and ${why}. Nothing was charged.`,
    )
  }
  const giveBack = () => refundCall(ledger, payer, bill)
  call.whenUnanswered(giveBack)
  return giveBack
}

/** False where the file was removed a moment ago. */
function sendKept(res: Response, { path, sha256 }: { path: string; sha256: string }, type: string): Promise<boolean> {
  res.set({ ETag: `"${sha256}"`, 'Content-Type': type, 'Cache-Control': 'private, no-cache' })
  return new Promise((done, failed) =>
    res.sendFile(path, { cacheControl: false, dotfiles: 'allow' }, (error?: Error & { status?: number }) => {
      if (!error || res.headersSent) return done(true)
      if (error.status === 404) return done(false)
      failed(error.status === 412 || error.status === 416 ? refusalOf(error.status) : error)
    }),
  )
}

const refusalOf = (status: 412 | 416): ApiError =>
  status === 412
    ? invalid('The file is not the one that If-Match or If-Unmodified-Since names.', 412)
    : invalid('Range: the file ends before it. Content-Range has its length.', 416)

function versionParam({ asked }: Call, name: 'version' | 'since'): string | undefined {
  const text = textParam(asked, name, invalid)
  if (text === undefined || VERSION.test(text)) return text
  throw invalid(`${name}: a version such as 20261129T083015123456Z is accepted, "${shortened(text)}" was sent.`)
}
