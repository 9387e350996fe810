/** Fetches the parts of the page that change with the address, and puts them in place of the old ones. */
import { showCopyButtons } from './copy.js'
import { darkScheme, element, phone } from './map-browser.js'
import { type MapNotes, NO_CONNECTION, type RefusedRead } from './map-note.js'

const PARTS = ['legend', 'legend-beside', 'side']

export type ViewChange = {
  /** Writes the address into the history of the browser. */
  isNew: boolean
  /** Where a person uses the keyboard, the focus follows to what came. */
  focus?: boolean
  /** The field that was changed comes anew, and keeps the focus. */
  field?: string
}

/** The caller learns that other parts are in place. */
type OnParts = (change: ViewChange) => void

export type Parts = {
  /** Opens the map with these fields besides those of the location. A new choice takes the place of the old one. */
  open: (fields: Readonly<Record<string, string>>, change: ViewChange) => void
  /** Goes back from what was picked to the whole index. The map stays where it is. */
  clear: () => void
}

/** These fields say what was picked, and what was asked about it: one choice replaces the other. */
const PICKS = ['question', 'feature', 'frame', 'frames', 'state', 'lga', 'ward', 'box', 'shape', 'q']
const CAMERA = ['lat', 'lon', 'z']

/** A brush is one of an attribute. The service asks about what is picked, unless the words of the field name a place. */
function replacedBy(fields: Readonly<Record<string, string>>): readonly string[] {
  if ('dataset' in fields) return ['from', 'to']
  if ('q' in fields) return ['question']
  // A click on a feature keeps the unit or the frame that a person picked before.
  if ('feature' in fields) return ['question', 'q']
  return Object.keys(fields).some((name) => PICKS.includes(name)) ? [...PICKS, ...CAMERA] : []
}

export function openParts(onParts: OnParts, notes: MapNotes): Parts {
  let asked = 0

  async function show(to: URL, change: ViewChange): Promise<void> {
    const turn = (asked += 1)
    const busy = element('panel')
    busy.setAttribute('aria-busy', 'true')
    const part = new URL(to)
    part.searchParams.set('part', 'panel')
    try {
      const answer = await readPart(part)
      if (turn !== asked) return
      if ('refused' in answer) {
        busy.setAttribute('aria-busy', 'false')
        return notes.show(answer.refused, () => void (turn === asked && show(to, change)))
      }
      const { response, markup } = answer
      const found = new URL(response.url)
      const isPart = found.pathname === to.pathname
      // Any other refusal is a page of its own, except that of a question: the form keeps it.
      if (!isPart || !(response.ok || response.status === 422)) return location.assign(to.href)
      notes.hide()
      found.searchParams.delete('part')
      if (change.isNew) history.pushState(null, '', found.href)
      replaceParts(markup)
      onParts(change)
    } catch {
      if (turn === asked) location.assign(to.href)
    }
  }

  const here = () => new URL(location.href)
  const open: Parts['open'] = (fields, change) => {
    // A choice in the legend is made to see the map.
    if (!Object.keys(fields).some((name) => [...PICKS, 'from', 'to'].includes(name))) foldOnPhone()
    const to = here()
    for (const name of replacedBy(fields)) to.searchParams.delete(name)
    for (const [name, value] of Object.entries(fields))
      if (value === '') to.searchParams.delete(name)
      else to.searchParams.set(name, value)
    void show(to, change)
  }
  addEventListener('popstate', () => void show(here(), { isNew: false }))
  followLinks((to) => {
    // Another question about the same place leaves the map where it is now.
    if (to.searchParams.has('question'))
      for (const name of CAMERA) {
        const value = here().searchParams.get(name)
        if (value !== null) to.searchParams.set(name, value)
      }
    void show(to, { isNew: true, focus: true })
  })
  const clear = () => {
    const to = here()
    for (const name of PICKS) to.searchParams.delete(name)
    if (to.href !== location.href) void show(to, { isNew: true })
  }
  return { open, clear }
}

/** The note above the map tells of a refusal: the map stays. */
type PartAnswer = { response: Response; markup: string } | { refused: RefusedRead }

async function readPart(part: URL): Promise<PartAnswer> {
  try {
    const response = await fetch(part, { headers: { Accept: 'text/html' } })
    const markup = await response.text()
    if (response.status === 429)
      return { refused: { status: 429, seconds: Number(response.headers.get('Retry-After') ?? 0) } }
    return new URL(response.url).pathname.endsWith('/sign-in') ? { refused: { status: 401 } } : { response, markup }
  } catch {
    return { refused: { status: NO_CONNECTION } }
  }
}

function replaceParts(markup: string): void {
  const next = new DOMParser().parseFromString(markup, 'text/html')
  const isFolded = document.querySelector<HTMLDetailsElement>('#legend details')?.open === false
  const isChoosing = document.querySelector<HTMLDetailsElement>('.legend-choices')?.open === true
  for (const id of PARTS) {
    const part = next.getElementById(id)
    if (part) element(id).replaceWith(part)
  }
  if (isFolded) foldLegends()
  const choices = document.querySelector<HTMLDetailsElement>('.legend-choices')
  if (choices) choices.open = isChoosing
  showCopyButtons()
}

function foldLegends(): void {
  for (const fold of document.querySelectorAll<HTMLDetailsElement>('.legend > details')) fold.open = false
}

/** A legend covers the map of a phone. */
export const foldOnPhone = () => {
  if (phone.matches) foldLegends()
}

/** All but the frames of a figure are dim from a click on it until the drawer with its statement is closed. */
export function drawOnChanges(draw: () => void): void {
  darkScheme.addEventListener('change', draw)
  const dim = (isOn: boolean) => {
    element('asked').toggleAttribute('data-dim', isOn)
    draw()
  }
  document.addEventListener('click', ({ target, defaultPrevented }) => {
    if (defaultPrevented && (target as Element).closest('#asked [data-figure]')) dim(true)
  })
  document.addEventListener('close', () => dim(false), true)
}

/** The browser itself follows a link to another page or to a part of this one, and one that opens another tab. */
function followLinks(show: (to: URL) => void): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a')
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) && event.button === 0
    if (!link || !isPlain || event.defaultPrevented || !isInside(link)) return
    const to = new URL(link.href)
    if (to.origin !== location.origin || to.pathname !== location.pathname || to.hash !== '') return
    event.preventDefault()
    show(to)
  })
}

/** The link of a note leads to the sign-in page: the page itself has to be asked for. */
const isInside = (link: HTMLElement) => link.closest('.map-page') !== null && link.closest('#map-note') === null
