/** Fetches the parts of the page that change with the address, and puts them in place of the old ones. */
import { showCopyButtons } from './copy.js'
import { address, element, onBack, page, pages, parsed, type PageElement, type PageEvent } from './map-browser.js'

const PARTS = ['legend', 'side']

export type Change = {
  /** Writes the address into the history of the browser. */
  isNew: boolean
  /** Where a person uses the keyboard, the focus follows to what came. */
  focus?: boolean
}

/** The caller learns that other parts are in place. */
type OnParts = (change: Change) => void

export type Parts = {
  /** Opens the map with these fields besides those of the address. A new choice takes the place of the old one. */
  open: (fields: Readonly<Record<string, string>>, change: Change) => void
}

/** These fields say what was picked: one choice replaces the other. */
const PICKS = ['frame', 'frames', 'state', 'lga', 'ward', 'box', 'q', 'lat', 'lon', 'z']

export function openParts(onParts: OnParts): Parts {
  let asked = 0

  async function show(to: URL, change: Change): Promise<void> {
    const turn = (asked += 1)
    const busy = element('panel')
    busy.setAttribute('aria-busy', 'true')
    const part = new URL(to)
    part.searchParams.set('part', 'panel')
    try {
      const response = await fetch(part, { headers: { Accept: 'text/html' } })
      const markup = await response.text()
      if (turn !== asked) return
      // A refusal is a page of its own, and so is the way to the sign-in page.
      const found = new URL(response.url)
      if (!response.ok || found.pathname !== to.pathname) return address.assign(to.href)
      found.searchParams.delete('part')
      if (change.isNew) pages.pushState(null, '', found.href)
      replaceParts(markup)
      onParts(change)
    } catch {
      if (turn === asked) address.assign(to.href)
    }
  }

  const here = () => new URL(address.href)
  const open: Parts['open'] = (fields, change) => {
    const to = here()
    if (Object.keys(fields).some((name) => PICKS.includes(name))) for (const name of PICKS) to.searchParams.delete(name)
    for (const [name, value] of Object.entries(fields)) to.searchParams.set(name, value)
    void show(to, change)
  }
  onBack(() => void show(here(), { isNew: false }))
  followLinks((to) => void show(to, { isNew: true, focus: true }))
  return { open }
}

function replaceParts(markup: string): void {
  const next = parsed(markup)
  for (const id of PARTS) {
    const part = next.getElementById(id)
    if (part) element(id).replaceWith(part)
  }
  showCopyButtons()
}

/** The browser itself follows a link to another page, and one that opens another tab. */
function followLinks(show: (to: URL) => void): void {
  page.addEventListener('click', (event: PageEvent) => {
    const link = event.target.closest('a')
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) && event.button === 0
    if (!link || !isPlain || event.defaultPrevented || !isInside(link)) return
    const to = new URL(link.href)
    if (to.origin !== address.origin || to.pathname !== address.pathname) return
    event.preventDefault()
    show(to)
  })
}

const isInside = (link: PageElement) => link.closest('.map-page') !== null
