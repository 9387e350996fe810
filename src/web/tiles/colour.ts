/** Finds the dataset that colours a tile, among those that the person's organisation may read at no cost. */
import { visibleDatasets } from '../../datasets/visible.js'
import { withDeadline } from '../../db/connect.js'
import type { Reader } from '../../db/replicas/reader.js'
import { attributesOfDatasets, type DatasetRow } from '../../db/statements.js'
import type { Authority } from '../../access/authority.js'
import { invalid } from '../../errors.js'
import { attributeParam, datasetParam } from '../../http/params.js'
import type { Query } from '../../http/query.js'
import type { Services } from '../../services.js'
import { datasetCosts } from '../refusals.js'

/** `attribute` is undefined for features, which are counted. */
export type Colour = { dataset: DatasetRow; attribute: string | undefined }

type Asked = { asked: Query; deadline: Parameters<typeof withDeadline>[1] }

/** Undefined: the tile has shapes only. */
export async function colourOf(
  { authorityReader }: Services,
  { asked, deadline }: Asked,
  reader: Reader,
  person: Authority,
): Promise<Colour | undefined> {
  const layerId = datasetParam(asked)
  const attribute = attributeParam(asked)
  if (layerId === undefined) {
    if (attribute !== undefined) throw invalid('attribute: needs dataset beside it.')
    return undefined
  }
  const visible = await visibleDatasets(withDeadline(authorityReader, deadline), reader, person)
  const dataset = visible.find((each) => each.layerId === layerId)
  if (!dataset) throw invalid(`dataset: your organisation reads no dataset ${layerId}.`)
  if (dataset.price !== null) throw datasetCosts(dataset.name, dataset.price)
  if (dataset.kind !== 'frames') {
    if (attribute !== undefined) throw invalid(`attribute: ${layerId} has features, which are counted: leave it out.`)
    return { dataset, attribute }
  }
  await checkAttribute(reader, layerId, attribute)
  return { dataset, attribute }
}

async function checkAttribute(reader: Reader, layerId: string, attribute: string | undefined): Promise<void> {
  const names = (await attributesOfDatasets(reader, [layerId])).map(({ name }) => name)
  if (attribute !== undefined && names.includes(attribute)) return
  const some = names.slice(0, 10).join(', ')
  const more = names.length > 10 ? ` and ${names.length - 10} more` : ''
  throw invalid(`attribute: ${layerId} has ${some}${more}; ${attribute === undefined ? 'none' : 'another'} came.`)
}
