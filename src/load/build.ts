/** Builds the frame index from an outline and a file of wards. The work is in sql/build/, a step a file. */
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { Database } from '../db/connect.js'
import { sqlText } from '../db/statement.js'
import { areaText, checkCrs } from './geojson-shape.js'
import { FileFault, jsonValues, type JsonValue } from './json-values.js'
import type { Progress } from './patiently.js'
import { stage } from './stage.js'
import { wardSource, type WardSource } from './ward-source.js'

export type BuildSummary = {
  frames: number
  cutAtBoundary: number
  inSeveralParts: number
  states: number
  lgas: number
  wards: number
  wardRows: number
  withoutStateOrLga: number
  repeatedNames: number
  untidyNames: number
  atTheSamePlace: number
  outsideTheOutline: number
  wardsTooSmallForAFrame: number
}

const WARDS_AT_ONCE = 500

type Files = { outline: string; wards: string }

/** As index_generation keeps it. */
export const sourceOf = ({ outline, wards }: Files) => `built from ${basename(outline)} and ${basename(wards)}`

export async function build(
  db: Database,
  files: Files,
  progress: Progress,
): Promise<BuildSummary & { generation: string }> {
  let summary: BuildSummary | undefined
  let untidyNames = 0
  const load = async () => {
    progress('reading the outline')
    await addOutline(db, files.outline)
    progress('reading the wards')
    untidyNames = await addWards(db, files.wards)
    progress('cutting the country into tiles')
    await db.work(sqlText('build/tile'))
    progress('making the cells, cut at the outline')
    await db.work(sqlText('build/cell'))
    progress('giving each ward its land')
    await db.work(sqlText('build/ward_area'))
    await db.work(`${sqlText('build/ward_area_index')}; analyze staging.ward_area; analyze staging.cell`)
    progress('giving each frame its ward')
    await db.work(sqlText('build/frame_add'))
  }
  const look = async () => {
    summary = await summarise(db, untidyNames)
  }
  const generation = await stage(db, progress, { source: sourceOf(files), load, look })
  if (!summary) throw new Error('The build ended without a summary.')
  return { ...summary, generation }
}

async function addOutline(db: Database, file: string): Promise<void> {
  let taken = 0
  for await (const value of valuesOf(file)) {
    await db.rows(sqlText('build/outline_add'), [await inFile(file, () => areaText(value))])
    taken += 1
  }
  if (taken === 0) throw new FileFault(`${file}: there is no polygon in it.`, 1)
}

/** Answers with how many names had line breaks or needless blanks in them. */
async function addWards(db: Database, file: string): Promise<number> {
  let untidy = 0
  let taken = 0
  let batch: WardSource[] = []
  const send = async () => {
    if (batch.length > 0) await db.rows(sqlText('build/wards_add'), [JSON.stringify(batch)])
    batch = []
  }
  for await (const value of valuesOf(file)) {
    const ward = wardSource(value, file)
    untidy += [ward.state, ward.lga, ward.ward].filter((name) => name && /^\s|\s$|\s\s|[^\S ]/.test(name)).length
    batch.push(ward)
    taken += 1
    if (batch.length === WARDS_AT_ONCE) await send()
  }
  await send()
  if (taken === 0) throw new FileFault(`${file}: there is no ward in it.`, 1)
  return untidy
}

/** The counts of sql/build/summary.sql, once the units are counted. */
async function summarise(db: Database, untidyNames: number): Promise<BuildSummary> {
  const [row] = await db.rows<Omit<BuildSummary, 'untidyNames'>>(sqlText('build/summary'), [])
  if (!row) throw new Error('The summary of the build came back empty.')
  return { ...row, untidyNames }
}

/** The values of a file of GeoJSON or JSON; another coordinate system than WGS 84 is refused. */
export async function* valuesOf(file: string): AsyncGenerator<JsonValue> {
  const items = jsonValues(createReadStream(file, { highWaterMark: 1 << 20 }))
  for (;;) {
    const { value: item, done } = await inFile(file, () => items.next())
    if (done) return
    if (item.kind === 'wrapper') await inFile(file, () => checkCrs(item.text))
    else yield item
  }
}

/** A build reads two files: a fault says in which. */
async function inFile<T>(file: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof FileFault) throw new FileFault(`${file}, ${error.message}`, error.line, error.number)
    throw error
  }
}
