/**
 * Opens links with `data-drawer` in a drawer over the page. The drawer is a dialog of the browser: Escape closes it, and
 * the focus goes back to the link. Without scripts the links lead to pages that show the same.
 */
import { showCopyButtons } from './copy.js'

let drawer: HTMLDialogElement | undefined
/** Only what was asked for last is shown. */
let asked = 0

document.addEventListener('click', (event) => {
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) && event.button === 0
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-drawer]')
  if (!link || !isPlain || event.defaultPrevented) return
  event.preventDefault()
  void show(link.href)
})

/** The browser saves a file and leaves the page as it is: a line says what came. */
document.addEventListener('submit', ({ target }) => {
  const form = target as HTMLFormElement
  const [saved, note] = [form.getAttribute('data-saved'), form.querySelector('[role=status]')]
  if (saved === null || !note) return
  const sent = new FormData(form)
  const datasets = sent.getAll('dataset').length
  note.textContent = `The browser saves ${saved}.${sent.get('format') as string}, with ${datasets} ${datasets === 1 ? 'dataset' : 'datasets'}.`
})

async function show(address: string): Promise<void> {
  const turn = (asked += 1)
  const part = new URL(address)
  part.searchParams.set('part', 'drawer')
  try {
    const response = await fetch(part, { headers: { Accept: 'text/html' } })
    const markup = await response.text()
    if (turn !== asked) return
    // A refusal, and the sign-in page, are pages of their own.
    if (!response.ok || response.redirected) return location.assign(address)
    fill(markup)
  } catch {
    if (turn === asked) fill(NO_CONNECTION)
  }
}

const NO_CONNECTION = `<div class="row apart">
  <h2 id="drawer-title" tabindex="-1">No connection</h2>
  <button type="button" data-close>Close</button>
</div>
<p>Try again once it is back.</p>`

/** The service wrote the markup, and escaped every value in it. */
function fill(markup: string): void {
  drawer ??= newDrawer()
  drawer.innerHTML = markup
  drawer.scrollTop = 0
  showCopyButtons()
  if (!drawer.open) drawer.showModal()
  drawer.querySelector<HTMLElement>('#drawer-title')?.focus()
}

function newDrawer(): HTMLDialogElement {
  const made = document.createElement('dialog')
  made.className = 'drawer'
  made.setAttribute('aria-labelledby', 'drawer-title')
  made.addEventListener('click', ({ target }) => {
    // A click beside the drawer hits the dialog itself.
    if (target === made || (target as Element).closest('[data-close]')) made.close()
  })
  made.addEventListener('close', () => (asked += 1))
  // Escape leaves the drawer, and not what was picked on the map below.
  made.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') event.stopPropagation()
  })
  document.body.append(made)
  return made
}
