/** Keeps a second map beside the first: of the same place, coloured by the attribute of its own legend. */
import type { Map as MapLibreMap, StyleSpecification } from './maplibre-gl.mjs'
import { element, isSmallWindow, type PageElement } from './map-browser.js'
import { foldLegends } from './map-parts.js'
import { mapStyle } from './map-style.js'

/** In a narrower window, two open legends hide a third of the maps. */
const BOTH_LEGENDS_FROM = 1600

type Beside = {
  /** Draws, changes or removes the second map, as the page now has it. */
  show: () => void
  /** The other map takes this one along. */
  isFollowing: (map: MapLibreMap) => boolean
}

export function openBeside(first: MapLibreMap, draw: (style: StyleSpecification) => MapLibreMap): Beside {
  let second: MapLibreMap | undefined
  let leader: MapLibreMap | undefined

  const lead = (one: MapLibreMap, other: () => MapLibreMap | undefined) =>
    one.on('move', () => {
      // The other one tells of its move, too.
      if (leader) return
      leader = one
      other()?.jumpTo(cameraOf(one))
      leader = undefined
    })
  lead(first, () => second)

  const start = (): MapLibreMap => {
    if (isSmallWindow(BOTH_LEGENDS_FROM)) foldLegends()
    const map = draw(mapStyle('legend-beside'))
    map.jumpTo(cameraOf(first))
    lead(map, () => first)
    const window = element('window-beside')
    map.on('dataloading', () => window.setAttribute('aria-busy', 'true'))
    map.on('idle', () => window.setAttribute('aria-busy', 'false'))
    return map
  }
  const show = () => {
    const isWanted = !element('legend-beside').hidden
    element('window-beside').hidden = !isWanted
    if (!isWanted) {
      second?.remove()
      second = undefined
    } else if (second) second.setStyle(mapStyle('legend-beside'))
    else second = start()
    // A screen reader tells two maps apart by what colours them.
    name(first, second ? `Map, ${labelOf('legend')}` : 'Map')
    if (second) name(second, `Second map, ${labelOf('legend-beside')}`)
  }
  return { show, isFollowing: (map) => leader !== undefined && leader !== map }
}

const cameraOf = (map: MapLibreMap) => ({ center: map.getCenter(), zoom: map.getZoom() })

const labelOf = (legend: string): string => element(legend).dataset['label'] ?? 'not coloured'

const name = (map: MapLibreMap, text: string): void =>
  (map.getCanvas() as unknown as PageElement).setAttribute('aria-label', text)
