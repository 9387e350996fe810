/** Reads the values of baselines on frames, and adds up what the API charges for them. */
import { counted } from '../../core/counted.js'
import { dataAt, piecesOf, sideBySide, type Api } from './api.js'

/** For each dataset asked for, in that order: its attributes with their values, or null where it records nothing. */
export type FrameValues = (Readonly<Record<string, string>> | null)[]

/** How many calls each dataset was charged for. */
export type Charges = Record<string, number>

type LeftOut = { layerId: string; price: number }
type DataAnswer = {
  frames: { id: string; datasets: { layerId: string; kind: string; values?: Record<string, string> }[] }[]
  charged: string[]
  leftOut: LeftOut[]
}

/** No index can hold a frame of this id, so that the call reads nothing and charges nothing. */
const ID_OF_NO_FRAME = '9999999999999999999'

export const dataPath = (ids: readonly string[], layers: readonly string[]): string =>
  `/v1/frames/data?ids=${ids.join(',')}&datasets=${layers.join(',')}`

/** The ETag of this call changes with each import of the index or of one of the datasets. */
export const pathOfVersions = (layers: readonly string[]): string => `${dataPath([ID_OF_NO_FRAME], layers)}&price=true`

/** Each charge is added to `charges`. */
export async function valuesOn(
  api: Api,
  ids: readonly string[],
  layers: readonly string[],
  charges: Charges,
): Promise<Map<string, FrameValues>> {
  const groups = await sideBySide(api, piecesOf(ids, api.idsAtOnce), async (some) => {
    const { frames, charged, leftOut } = await dataAt<DataAnswer>(api, dataPath(some, layers))
    for (const layerId of charged) charges[layerId] = (charges[layerId] ?? 0) + 1
    refuseLeftOut(leftOut)
    return frames.map(({ id, datasets }): [string, FrameValues] => [id, inOrder(layers, datasets)])
  })
  return new Map(groups.flat())
}

function inOrder(layers: readonly string[], datasets: DataAnswer['frames'][number]['datasets']): FrameValues {
  const other = datasets.find(({ values }) => values === undefined)
  if (other) {
    throw new Error(
      `${other.layerId} records ${other.kind}: --data takes baselines, which record values on frames. Leave it out.`,
    )
  }
  return layers.map((layer) => datasets.find(({ layerId }) => layerId === layer)?.values ?? null)
}

function refuseLeftOut([first]: DataAnswer['leftOut']): void {
  if (!first) return
  const price = counted(first.price, 'credit')
  throw new Error(
    `${first.layerId} costs ${price} a call, which the organisation does not have. With more credits, the same command goes on from here.`,
  )
}
