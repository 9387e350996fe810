/** Finds the dataset that colours the map, among those that the person's organisation may read at no cost. */
import { visibleDatasets } from '../../core/datasets/index.js'
import { type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import { attributesOfDatasets } from '../../core/db/statements.js'
import type { Authority } from '../../core/access/index.js'
import { invalid, shortened } from '../../core/errors.js'
import { layerIdPattern } from '../../core/parameters.js'
import { type Query, textParam } from '../../api/http/query.js'
import type { Services } from '../../services.js'
import { datasetCosts } from '../shell/refusals.js'

/** The features of a dataset are counted or, in units, measured. `isDrawn`: the bounds are those of draws. */
export type MapColour = { dataset: DatasetRow; attribute: string; isDrawn: boolean }

type ColourAsked = { asked: Query; deadline: Parameters<typeof withDeadline>[1] }
type Coloured = 'frames' | 'units'

/** Undefined: no dataset was asked for. */
export async function colourOf(
  { authorityReader }: Services,
  { asked, deadline }: ColourAsked,
  reader: Reader,
  { person, layer }: { person: Authority; layer: Coloured },
): Promise<MapColour | undefined> {
  const layerId = textParam(asked, 'dataset', invalid)
  if (layerId !== undefined && !layerIdPattern.test(layerId))
    throw invalid(`dataset: an id such as lyr_population is accepted, "${shortened(layerId)}" was sent.`)
  const attribute = textParam(asked, 'attribute', invalid)
  if (layerId === undefined) {
    if (attribute !== undefined) throw invalid('attribute: needs dataset beside it.')
    return undefined
  }
  const visible = await visibleDatasets(withDeadline(authorityReader, deadline), reader, person)
  const dataset = visible.find((each) => each.layerId === layerId)
  if (!dataset) throw invalid(`dataset: your organisation reads no dataset ${layerId}.`)
  if (dataset.price !== null) throw datasetCosts(dataset.name, dataset.price)
  return { dataset, ...(await checkedAttribute(reader, dataset, attribute, layer)) }
}

async function checkedAttribute(
  reader: Reader,
  { layerId, kind }: DatasetRow,
  attribute: string | undefined,
  layer: Coloured,
): Promise<Omit<MapColour, 'dataset'>> {
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
