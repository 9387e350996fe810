/** /files: each dataset that a key may read at no price, as a file with a stable address. */
import type { Express, RequestHandler, Response } from 'express'
import { counted } from '../../core/counted.js'
import { visibleDatasets } from '../../core/datasets/index.js'
import { type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import { filesOfDatasets } from '../../core/db/statements.js'
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
  const listed = datasets.flatMap((dataset) => {
    const { items, version = '', origin = '{}' } = states.get(dataset.layerId) ?? {}
    return dataset.price === null && version > (since ?? '') ? [{ ...dataset, items, version, origin }] : []
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
    }
    return { ...about, version, files: await Promise.all(forms) }
  })
  const leftOut = datasets.flatMap(({ layerId, name, price }) =>
    price === null ? [] : [{ layerId, name, reason: 'price', price }],
  )
  return { datasets: await Promise.all(files), leftOut }
}

async function sendDataset(services: Services, call: Call, res: Response): Promise<void> {
  const name = String(res.req.params['name'])
  const asked = versionParam(call, 'version')
  const [, layerId = '', form] = NAME.exec(name) ?? []
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const [datasets, reader] = await readableBy(services, call)
    const dataset = datasets.find((each) => each.layerId === layerId)
    const ofKind = DATASET_FORMS.find((each) => each === form)
    if (!dataset || !ofKind || (ofKind === 'attributes.json' && dataset.kind !== 'frames'))
      throw notFound(
        `There is no file ${shortened(name)} that this key may read. GET /files lists those that are there.`,
      )
    if (dataset.price !== null)
      throw notFound(
        `${layerId} costs ${counted(dataset.price, 'credit')} a call, so it is no file: GET /v1/frames/data reads it.`,
      )
    const [state] = await filesOfDatasets(reader, [layerId])
    const version = state?.version ?? ''
    if (asked !== undefined && asked !== version)
      throw notFound(`Version ${asked} of ${layerId} is not served any more: ${version} is.`)
    const kept = await services.files.find({ layerId, version, form: ofKind })
    if (kept === undefined) await services.files.make(layerId, ofKind)
    else if (await sendKept(res, kept, TYPES[ofKind])) return
  }
  throw internal()
}

/** False where the file was removed a moment ago. */
function sendKept(res: Response, { path, sha256 }: { path: string; sha256: string }, type: string): Promise<boolean> {
  res.set({ ETag: `"${sha256}"`, 'Content-Type': type, 'Cache-Control': 'private, no-cache' })
  return new Promise((done, failed) =>
    res.sendFile(path, { cacheControl: false, dotfiles: 'allow' }, (error?: Error & { status?: number }) => {
      if (!error || res.headersSent) return done(true)
      if (error.status === 404) return done(false)
      failed(refusalOf(error.status) ?? error)
    }),
  )
}

function refusalOf(status: number | undefined): ApiError | undefined {
  if (status === 412) return invalid('The file is not the one that If-Match or If-Unmodified-Since names.', 412)
  return status === 416 ? invalid('Range: the file ends before it. Content-Range has its length.', 416) : undefined
}

function versionParam({ asked }: Call, name: 'version' | 'since'): string | undefined {
  const text = textParam(asked, name, invalid)
  if (text === undefined || VERSION.test(text)) return text
  throw invalid(`${name}: a version such as 20261129T083015123456Z is accepted, "${shortened(text)}" was sent.`)
}
