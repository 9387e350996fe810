/** Files that GDAL reads, in any coordinate system: ogr2ogr writes them as GeoJSON or CSV while an import reads them. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { didYouMean } from '../../core/nearest.js'
import { formFault } from './file-forms.js'

/** A command reads features (GeoJSON or CSV) or a table (CSV without coordinates). */
export type Wanted = 'features' | 'table'
/** QGIS writes a layer of a file so, too. */
const LAYER = '|layername='

export const layered = (file: string, layer: string | undefined): string =>
  layer === undefined ? file : `${file}${LAYER}${layer}`

export function pathAndLayer(file: string): { path: string; layer: string | undefined } {
  const at = file.indexOf(LAYER)
  return at === -1
    ? { path: file, layer: undefined }
    : { path: file.slice(0, at), layer: file.slice(at + LAYER.length) }
}

export const isSheet = (path: string): boolean => /\.(xlsx|ods)$/i.test(path)

export async function* convertedBytes(file: string, wanted: Wanted): AsyncGenerator<Buffer> {
  const { path, layer } = pathAndLayer(file)
  accessSync(path)
  const source = /\.zip$/i.test(path) ? `/vsizip/${resolve(path)}` : resolve(path)
  const isTable = wanted === 'table' || isSheet(path)
  const chosen = await layerOf({ path, source, isTable }, layer)
  const form = isTable
    ? ['-f', 'CSV', '--config', 'OGR_XLSX_HEADERS', 'FORCE', '--config', 'OGR_ODS_HEADERS', 'FORCE', ...TEXTS]
    : ['-f', 'GeoJSONSeq', '-t_srs', 'EPSG:4326', '-dim', 'XY', '-nlt', 'CONVERT_TO_LINEAR']
  const program = spawn('ogr2ogr', [...form, '/vsistdout/', source, chosen], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(program, 'close')
  const said = text(program.stderr)
  try {
    yield* program.stdout as AsyncIterable<Buffer>
    const [status] = (await ended) as [number | null]
    const fault = faultIn(await said)
    if (status !== 0 || fault !== undefined) throw unread(path, chosen, fault)
  } finally {
    program.kill()
  }
}

/** The cells of a sheet are as a person sees them. */
const TEXTS = ['XLSX', 'ODS'].flatMap((form) => ['--config', `OGR_${form}_FIELD_TYPES`, 'STRING'])

type Source = { path: string; source: string; isTable: boolean }

/** The one that is named, else the only one. */
async function layerOf({ path, source, isTable }: Source, named: string | undefined): Promise<string> {
  const all = await layersIn(path, source)
  const usable = all.filter(({ name, hasShapes }) => (isTable ? name !== 'layer_styles' : hasShapes))
  const names = usable.map(({ name }) => name)
  const [only] = names
  if (named !== undefined) {
    if (names.includes(named)) return named
    throw new Error(`${path}: there is no layer "${named}" for this: ${namesText(names)}.${didYouMean(named, names)}`)
  }
  if (only !== undefined && names.length === 1) return only
  if (only !== undefined)
    throw new Error(`${path} has ${names.length} layers: ${namesText(names)}. --layer names one of them.`)
  throw new Error(
    `${path}: there is no layer ${isTable ? 'with rows' : `with shapes${all.length > 0 ? `, only ${namesText(all.map(({ name }) => name))}` : ''}`} in it.`,
  )
}

const LAYERS_SHOWN = 20
const namesText = (names: readonly string[]) =>
  names.length > LAYERS_SHOWN
    ? `${names.slice(0, LAYERS_SHOWN).join(', ')} and ${names.length - LAYERS_SHOWN} more`
    : names.join(', ') || 'none'

/** ogrinfo writes "1: wells (Point)", and "2: notes (None)" for a layer without shapes. */
async function layersIn(path: string, source: string): Promise<{ name: string; hasShapes: boolean }[]> {
  try {
    const { stdout, stderr } = await promisify(execFile)('ogrinfo', ['-ro', '-so', '-q', source])
    const fault = faultIn(stderr)
    if (fault !== undefined) throw unread(path, undefined, fault)
    return Array.from(stdout.matchAll(/^\d+: (.*?)(?: \(([^()]*)\))?$/gm), ([, name = '', shapes]) => ({
      name,
      hasShapes: shapes !== 'None',
    }))
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    if (code === 'ENOENT') throw notInstalled(path, error)
    throw stderr === undefined ? error : unread(path, undefined, (await formOf(path)) ?? faultIn(stderr), error)
  }
}

/** Names a file that GDAL does not open as what it is. */
async function formOf(path: string): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    if (bytesRead === 0) return 'the file is empty'
    const form = formFault(buffer.subarray(0, bytesRead), 'raster')
    return form !== undefined && /compressed|UTF-16|7-Zip|HTML|PDF/.test(form) ? `this is ${form}` : undefined
  } finally {
    await file.close()
  }
}

/** GDAL also ends with status 0 where it has written only a part. */
function faultIn(said: string): string | undefined {
  const [, fault] = /^ERROR \d+: ((?:.|\n(?!ERROR|Warning|FAILURE))*)/m.exec(said) ?? []
  return fault?.trim().replaceAll(/\s+/g, ' ')
}

function unread(
  path: string,
  layer: string | undefined,
  fault = 'this is no file that it reads',
  cause?: unknown,
): Error {
  const of = layer === undefined ? path : `${path}, layer ${layer}`
  const advice = /no coordinate system/.test(fault)
    ? ` Give it the one that it has: ogr2ogr -a_srs EPSG:4326 ${shellWord('with-system.gpkg')} ${shellWord(path)}`
    : ''
  return new Error(`${of}: GDAL cannot read it: ${fault.replace(/\.$/, '')}.${advice}`, { cause })
}

const notInstalled = (path: string, cause: unknown) =>
  new Error(
    `${path}: GeoJSON and CSV are read without another program. This kind of file needs ogr2ogr of GDAL, which is not installed: Debian has it in gdal-bin, conda and Homebrew in gdal. Or convert the file elsewhere to GeoJSON in EPSG:4326, or to CSV.`,
    { cause },
  )

/** A line for a shell. ogr2ogr overwrites the file that it makes: the name is one that nobody else gives. */
export const conversionLine = (file: string) =>
  `ogr2ogr -t_srs EPSG:4326 ${shellWord(`${file.replace(/\.\w+$/i, '-converted')}.geojson`)} ${shellWord(file)}`

export const shellWord = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
