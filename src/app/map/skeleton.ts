/** Draws the land of the index in the place of the map, until the map has its first tile. */
import type { Reader } from '../../core/db/replicas/reader.js'
import { indexGeneration } from '../../core/db/statements.js'
import { html, type Html } from '../shell/html.js'
import { outlineOfIndex, type Outline } from './statements.js'

/** Keeps the outline of one index: to make it takes as long as all other reads of the page. */
export function skeletons(): (reader: Reader) => Promise<Html | false> {
  let kept: { generation: string; outline: Outline | undefined } | undefined
  return async (reader) => {
    const generation = JSON.stringify(await indexGeneration(reader))
    if (kept?.generation !== generation) kept = { generation, outline: (await outlineOfIndex(reader))[0] }
    const { outline } = kept
    return (
      outline !== undefined &&
      html`<svg id="map-skeleton" viewBox="0 -${outline.height} 1000 ${outline.height}" aria-hidden="true">
        <path d="${outline.path}"></path>
      </svg>`
    )
  }
}
