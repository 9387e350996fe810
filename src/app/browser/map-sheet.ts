/** On a phone the page scrolls over the map, as a sheet of three heights: the value alone, half of the window, and all. */
import { element, phone } from './map-browser.js'

/** How far the page scrolls for each height. */
const heights = () => {
  const top = element('sheet').getBoundingClientRect().top + scrollY - element('map').getBoundingClientRect().top
  return { value: 0, half: top / 2, all: top }
}

export function openSheet(): void {
  const button = element('sheet')
  button.hidden = false
  button.addEventListener('click', () => {
    const next = Object.values(heights()).find((height) => height > scrollY + 1)
    scrollTo({ top: next ?? 0, behavior: 'smooth' })
  })
}

export function showSheet(height: 'value' | 'half'): void {
  if (phone.matches) scrollTo({ top: heights()[height] })
}
