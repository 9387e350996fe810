/** Reads what all parts of the map need: the datasets of the organisation, and what to colour the map by. */
import type { Request } from 'express'
import type { DatasetToChoose } from '../shell/rows.js'
import { type AttributeEntry, type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import { paidId } from '../../core/credits/index.js'
import { visibleDatasets } from '../../core/datasets/index.js'
import { attributesOfDatasets } from '../../core/db/statements.js'
import { FEATURES } from '../../core/figures/index.js'
import type { Services } from '../../services.js'
import { personAuthority } from '../shell/person-authority.js'
import { noDatasetPage, noSuchAttribute } from '../shell/refusals.js'
import { sessionOf } from '../shell/session.js'
import { areOperators, type Operators } from '../shell/settings.js'
import { datasetsToChoose } from '../shell/statements.js'
import { CLASS_COLOURS } from './classing.js'
import { datasetsOf } from './condition.js'
import { classesCounted } from './statements.js'
import { type MapView, type Misread, NO_PLACE, queryOf, viewOf } from './view.js'

/** `standing`: the lower, the earlier a map offers it. */
export type MapDataset = DatasetRow & { owner: string; isOwn: boolean; standing: number }

/** The map can be coloured by an attribute of a baseline, and by the number of features. */
export type Colour = {
  dataset: MapDataset
  attribute: AttributeEntry
  /** Its values are names or codes: a link may colour by them, and the form does not offer them. */
  isName: boolean
}

export type MapData = {
  reader: Reader
  view: MapView
  /** Undefined where the whole address was read. */
  misread?: Misread | undefined
  /** The map's page has this path. */
  path: string
  /** These are read without a charge. */
  free: readonly MapDataset[]
  /** These cost credits: the map names them with their price, and reads none of them. */
  priced: readonly MapDataset[]
  colours: readonly Colour[]
  /** Undefined where no dataset has an attribute, and where a dataset was chosen that costs credits. */
  colour: Colour | undefined
  /** Says what lies inside the brush. */
  inside?: string | undefined
}

export async function readMapData(
  services: Services,
  req: Request,
  { view, misread }: Pick<MapData, 'view' | 'misread'> = { view: viewOf(req.context.asked) },
): Promise<MapData> {
  const person = personAuthority(sessionOf(req))
  const reader = services.readerForRequest(req.context.deadline)
  const [visible, known] = await Promise.all([
    visibleDatasets(withDeadline(services.authorityReader, req.context.deadline), reader, person),
    datasetsToChoose(req.visit.db, person.orgId),
  ])
  const choices = new Map(known.map((choice) => [choice.layerId, choice]))
  const datasets = visible
    .map((row) => {
      const choice = choices.get(paidId(row))
      const isOwn = row.orgId === person.orgId
      return { ...row, owner: choice?.owner ?? '', isOwn, standing: standingOf(row, choice, req.visit.operators) }
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
  const free = datasets.filter(({ price }) => price === null)
  refuseOthers(view, free)
  const priced = datasets.filter(({ price }) => price !== null)
  const colours = await coloursOf(
    reader,
    free.toSorted((one, other) => one.standing - other.standing),
  )
  return {
    reader,
    view,
    misread,
    path: `${req.visit.place.app}/map`,
    free,
    priced,
    colours,
    colour: chosenColour(view, colours, priced),
  }
}

/** A condition reads its datasets. */
export function refuseOthers({ where }: Pick<MapView, 'where'>, free: readonly DatasetRow[]): void {
  const other = where && datasetsOf(where).find((layer) => !free.some(({ layerId }) => layerId === layer))
  if (other !== undefined) throw noDatasetPage(other)
}

/**
 * Anybody may license a dataset to everyone. What the organisation owns, is licensed by name, or the operators own
 * comes before these, and the datasets of an owner that came later last.
 */
function standingOf({ orgId }: DatasetRow, choice: DatasetToChoose | undefined, operators: Operators): number {
  if (!choice) return Number.MAX_VALUE
  const isKnown = !choice.isForEveryone || areOperators(operators, { orgId, orgName: choice.owner })
  return isKnown ? 0 : choice.ownerSince
}

async function coloursOf(reader: Reader, free: readonly MapDataset[]): Promise<Colour[]> {
  if (free.length === 0) return []
  const layers = free.map(({ layerId }) => layerId)
  const [entries, counted] = await Promise.all([attributesOfDatasets(reader, layers), classesCounted(reader, layers)])
  const classes = new Map(counted.map(({ layer, attribute, classes: count }) => [`${layer} ${attribute}`, count]))
  return free.flatMap((dataset, i) =>
    dataset.kind === 'frames'
      ? entries
          .filter(({ layer }) => layer === i + 1)
          .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
          .map((attribute) => ({
            dataset,
            attribute,
            isName: isName(dataset, attribute, classes.get(`${dataset.layerId} ${attribute.name}`)),
          }))
      : [{ dataset, attribute: numberOfFeatures(dataset), isName: false }],
  )
}

/** A map shows names as names. A category of more values than colours, or of no commonest value, has too many to tell apart. */
const isName = ({ category }: MapDataset, { type, summary }: AttributeEntry, classes = Infinity): boolean =>
  type === 'category' && (category === 'Administrative' || summary === 'none' || classes > CLASS_COLOURS)

const numberOfFeatures = ({ name }: MapDataset): AttributeEntry => ({
  layer: 0,
  name: FEATURES,
  label: name,
  unit: null,
  type: 'number',
  summary: 'sum',
  weight: null,
  method: null,
  noun: null,
  plural: null,
  interval: null,
})

function chosenColour({ dataset, attribute }: MapView, colours: readonly Colour[], priced: readonly MapDataset[]) {
  if (dataset === undefined) return firstColour(colours)
  if (priced.some(({ layerId }) => layerId === dataset)) return undefined
  const found = colours.find(
    (each) => each.dataset.layerId === dataset && (attribute === undefined || each.attribute.name === attribute),
  )
  if (!found)
    throw colours.some((each) => each.dataset.layerId === dataset)
      ? noSuchAttribute(dataset, attribute ?? '')
      : noDatasetPage(dataset)
  return found
}

/** Returns what the second map shows: the same place by another attribute. Undefined: there is one map. */
export function besideOf(data: MapData): MapData | undefined {
  if (!data.view.beside) return undefined
  const view = { ...data.view, ...data.view.beside, beside: undefined }
  return { ...data, view, colour: chosenColour(view, data.colours, data.priced) }
}

/** A newcomer sees where people live, in the year of the dataset; without such a dataset, the map shows a sum. */
function firstColour(colours: readonly Colour[]): Colour | undefined {
  const all = colours.filter(({ dataset, attribute }) => dataset.kind === 'frames' && attribute.summary === 'sum')
  const sums = all.filter(({ dataset }) => dataset.standing === all[0]?.dataset.standing)
  const people = sums.filter(({ dataset }) => dataset.category === 'Population')
  return (
    people.find(({ dataset, attribute }) => dataset.vintage !== null && attribute.label.includes(dataset.vintage)) ??
    people[0] ??
    sums[0] ??
    colours.find((colour) => !colour.isName) ??
    colours[0]
  )
}

/** Writes the address of the map with another choice. It holds no place: the map goes to what is picked. */
export const mapLink = ({ path, view }: Pick<MapData, 'path' | 'view'>, change: Partial<MapView>): string =>
  path + queryOf({ ...view, ...NO_PLACE, ...change })
