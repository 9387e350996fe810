/** The collections of /ogc: those of the index, and one for each dataset that the key may read. */
import { visibleDatasets } from '../../core/datasets/index.js'
import { type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import { counted } from '../../core/counted.js'
import { notFound } from '../../core/errors.js'
import type { Services } from '../../services.js'
import type { Call } from '../http/call.js'
import { queryables } from './statements.js'

type OfIndex = { kind: 'frames' | 'state' | 'lga' | 'ward' }
type OfDataset = { kind: 'baseline' | 'features'; dataset: DatasetRow }
export type Collection = { id: string; title: string; description: string } & (OfIndex | OfDataset)

const INDEX_COLLECTIONS: readonly Collection[] = [
  {
    id: 'frames',
    kind: 'frames',
    title: 'Frames',
    description: 'Cells of about a kilometre, with the units they lie in.',
  },
  { id: 'states', kind: 'state', title: 'States', description: 'States, each the union of its frames.' },
  { id: 'lgas', kind: 'lga', title: 'Local government areas', description: 'Areas, each the union of its frames.' },
  { id: 'wards', kind: 'ward', title: 'Wards', description: 'Wards, each the union of its frames.' },
]

type CatalogueCall = Pick<Call, 'caller' | 'deadline'>

export async function collectionsFor(services: Services, call: CatalogueCall, reader: Reader): Promise<Collection[]> {
  const authority = withDeadline(services.authorityReader, call.deadline)
  const datasets = await visibleDatasets(authority, reader, call.caller)
  return [...INDEX_COLLECTIONS, ...datasets.map(ofDataset)]
}

function ofDataset(dataset: DatasetRow): Collection {
  const { layerId, name, category, kind, vintage, price } = dataset
  const what = kind === 'frames' ? 'a row for each frame' : kind
  const cost =
    price === null
      ? ''
      : ` A walk over the items costs ${counted(price, 'credit')}, and pages of it are free for an hour.`
  return {
    id: layerId,
    kind: kind === 'frames' ? 'baseline' : 'features',
    title: name,
    description: `${category}, ${what}${vintage === null ? '' : `, ${vintage}`}.${cost}`,
    dataset,
  }
}

/** A dataset that the key may not read is not there, as in every other call. */
export async function collectionNamed(
  services: Services,
  call: CatalogueCall,
  reader: Reader,
  id: string,
): Promise<Collection> {
  const known = INDEX_COLLECTIONS.find((each) => each.id === id)
  if (known) return known
  const found = (await collectionsFor(services, call, reader)).find((each) => each.id === id)
  if (!found) throw notFound(`There is no collection ${id.slice(0, 60)} that this key may read.`)
  return found
}

/** `source`: how the statements of sql/ogc/ name the value. */
export type Property = { name: string; title: string; type: 'number' | 'text'; source: string; unit?: string | null }

const textProperty = (name: string, title: string): Property => ({ name, title, type: 'text', source: name })
const numberProperty = (name: string, title: string, unit?: string): Property => ({
  name,
  title,
  type: 'number',
  source: name,
  unit: unit ?? null,
})

const [STATE, LGA, WARD] = [
  textProperty('state', 'State'),
  textProperty('lga', 'Local government area'),
  textProperty('ward', 'Ward'),
]
const CODES = {
  state: textProperty('stateCode', 'Code of the state'),
  lga: textProperty('lgaCode', 'Code of the area'),
  ward: textProperty('wardCode', 'Code of the ward'),
}
const ZONES = [textProperty('zone', 'Zone'), textProperty('zoneCode', 'Code of the zone')]
const FRAME_SIZE = numberProperty('km2', 'Area', 'km²')
const FRAME_COUNT = numberProperty('frames', 'Frames in it')

/** The properties of the items of a collection, which a filter may name. */
export async function propertiesOf(collection: Collection, reader: Reader): Promise<Property[]> {
  switch (collection.kind) {
    case 'frames':
      return [STATE, CODES.state, LGA, CODES.lga, WARD, CODES.ward, ...ZONES, FRAME_SIZE]
    case 'state':
      return [STATE, CODES.state, ...ZONES, FRAME_COUNT, FRAME_SIZE]
    case 'lga':
      return [STATE, LGA, CODES.lga, FRAME_COUNT, FRAME_SIZE]
    case 'ward':
      return [STATE, LGA, WARD, CODES.ward, FRAME_COUNT, FRAME_SIZE]
    case 'baseline': {
      const units = [STATE, LGA, WARD]
      const taken = units.map(({ name }) => name)
      const attributes = await recordedProperties(collection.dataset, reader)
      return [...units, ...attributes.map((each) => (taken.includes(each.name) ? recordedProperty(each) : each))]
    }
    case 'features':
      return await recordedProperties(collection.dataset, reader)
  }
}

/** An attribute named as a unit gets another name, as in schema analyst. */
const recordedProperty = (property: Property): Property => ({ ...property, name: `recorded_${property.name}` })

async function recordedProperties({ layerId }: DatasetRow, reader: Reader): Promise<Property[]> {
  const rows = await queryables(reader, layerId)
  return rows.map(({ name, label, unit, type }) => ({
    name,
    title: label,
    type: type === 'number' ? 'number' : 'text',
    source: `recorded:${name}`,
    unit,
  }))
}
