/** Asks for tiles as the map does: as a person who is signed in. */
import type { PageAnswer, Visitor } from '../support/browse.js'
import { readTile, type TileFeature, type TileLayers } from './read-tile.js'

export type TileAnswer = PageAnswer & { layers: TileLayers }

export async function askTile(visitor: Visitor, path: string, headers: Record<string, string> = {}) {
  const answer = await visitor.get(`/app/tiles/${path}`, headers)
  const isTile = answer.headers['content-type'] === 'application/vnd.mapbox-vector-tile'
  return { ...answer, layers: isTile ? readTile(answer.bytes) : {} } satisfies TileAnswer
}

/** The features of a layer, none where the tile lacks it. */
export const featuresOf = ({ layers }: TileAnswer, name: string): TileFeature[] => layers[name]?.features ?? []
