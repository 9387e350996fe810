/** Says that tiles are on their way, once a person may wonder. */
import type { Map as MapLibreMap } from './maplibre-gl.mjs'
import { element, page, type PageElement } from './map-browser.js'

/** Most moves of the map are whole sooner: a sign that flickers would disturb more than it tells. */
const QUIET_MS = 300

export function showLoading(map: MapLibreMap, area: PageElement): void {
  const sign = element('map-loading')
  let timer: ReturnType<typeof setTimeout> | undefined
  map.on('dataloading', () => {
    // Tests read this attribute, as screen readers do.
    area.setAttribute('aria-busy', 'true')
    timer ??= setTimeout(() => (sign.textContent = 'Loading …'), QUIET_MS)
  })
  const skeleton = page.querySelector('#map-skeleton')
  const uncover = () => skeleton?.remove()
  map.on('sourcedata', ({ tile }) => tile && uncover())
  map.on('idle', () => {
    uncover()
    area.setAttribute('aria-busy', 'false')
    clearTimeout(timer)
    timer = undefined
    sign.textContent = ''
  })
}
