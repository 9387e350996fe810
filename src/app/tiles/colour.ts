/** Finds the dataset that colours a tile, among those that the person's organisation may read at no cost. */
import { visibleDatasets } from '../../core/datasets/index.js'
import { type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import { attributesOfDatasets } from '../../core/db/statements.js'
import type { Authority } from '../../core/access/index.js'
import { invalid, shortened } from '../../core/errors.js'
import { layerIdPattern } from '../../core/parameters.js'
import { type Query, textParam } from '../../api/http/query.js'
import type { Services } from '../../services.js'
import { datasetCosts } from '../shell/refusals.js'
import { colourChoice } from '../map/view.js'
import type { TileAddress } from './address.js'

/** `isDrawn`: its bounds are those of draws. */
type ColourSubject<Dataset> = { dataset: Dataset; attribute: string; isDrawn?: boolean }
type ColouredSubject<Dataset> = ColourSubject<Dataset> & { before?: ColourSubject<Dataset> }

/**
 * A tile has the values of one attribute. The features of a dataset are counted or, in units and blocks, measured.
 * `before`: it has those of a second one too, for the change.
 */
export type TileColour = ColouredSubject<Pick<DatasetRow, 'layerId' | 'kind'>>

/** The datasets as the server of the rows has them now. */
export type FoundTileColour = ColouredSubject<DatasetRow>

type ColourAsked = { asked: Query; deadline: Parameters<typeof withDeadline>[1] }

/** Undefined: the tile has shapes only. */
export async function colourOf(
  { authorityReader }: Services,
  { asked, deadline }: ColourAsked,
  reader: Reader,
  { person, layer }: { person: Authority; layer: TileAddress['layer'] },
): Promise<FoundTileColour | undefined> {
  const layerId = textParam(asked, 'dataset', invalid)
  if (layerId !== undefined && !layerIdPattern.test(layerId))
    throw invalid(`dataset: an id such as lyr_population is accepted, "${shortened(layerId)}" was sent.`)
  const attribute = textParam(asked, 'attribute', invalid)
  const before = colourChoice('with', textParam(asked, 'with', invalid))
  if (layerId === undefined) {
    if (attribute !== undefined) throw invalid('attribute: needs dataset beside it.')
    if (before) throw invalid('with: needs dataset and attribute beside it.')
    return undefined
  }
  const visible = await visibleDatasets(withDeadline(authorityReader, deadline), reader, person)
  const subject = async (id: string, name: string | undefined): Promise<ColourSubject<DatasetRow>> => {
    const dataset = visible.find((each) => each.layerId === id)
    if (!dataset) throw invalid(`dataset: your organisation reads no dataset ${id}.`)
    if (dataset.price !== null) throw datasetCosts(dataset.name, dataset.price)
    if (before && dataset.kind !== 'frames') throw invalid(`with: ${id} has features, and attributes are compared.`)
    return { dataset, ...(await checkedAttribute(reader, dataset, name, layer)) }
  }
  const now = await subject(layerId, attribute)
  return before ? { ...now, before: await subject(before.dataset, before.attribute) } : now
}

async function checkedAttribute(
  reader: Reader,
  { layerId, kind }: DatasetRow,
  attribute: string | undefined,
  layer: TileAddress['layer'],
): Promise<Pick<ColourSubject<DatasetRow>, 'attribute' | 'isDrawn'>> {
  const isMeasured = layer !== 'frames'
  const entries = kind === 'frames' ? await attributesOfDatasets(reader, [layerId]) : []
  const names =
    kind === 'frames'
      ? entries.map(({ name }) => name)
      : [
          'features',
          ...(isMeasured && kind === 'lines' ? ['km'] : []),
          ...(isMeasured && kind === 'polygons' ? ['km2'] : []),
        ]
  const chosen = attribute ?? (kind === 'frames' ? undefined : 'features')
  if (chosen !== undefined && names.includes(chosen))
    return { attribute: chosen, isDrawn: entries.some(({ name, interval }) => name === chosen && interval === 'draws') }
  const more = names.length > 10 ? ` and ${names.length - 10} more` : ''
  throw invalid(
    `attribute: ${layer} show ${names.slice(0, 10).join(', ')}${more} of ${layerId}; ${chosen === undefined ? 'none' : 'another'} came.`,
  )
}
