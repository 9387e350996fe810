/**
 * Copies a text: each button with `data-copy` holds the id of the element to copy from, or the text itself. Without
 * scripts the button stays hidden, and the reader selects the text.
 */

/** For how long the button says that it copied. */
const SHOWN_MS = 2000

const COPY = 'button[data-copy]'

/** A script that puts new parts into the page calls it for their buttons. */
export function showCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>(COPY)) button.hidden = !('clipboard' in navigator)
}

showCopyButtons()
document.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>(COPY)
  if (button) void copyFrom(button)
})

async function copyFrom(button: HTMLElement): Promise<void> {
  const { copy = '', copyText } = button.dataset
  const text = copyText ?? document.getElementById(copy)?.textContent ?? ''
  const label = button.textContent
  try {
    await navigator.clipboard.writeText(text.trim())
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Copy it by hand'
  }
  setTimeout(() => (button.textContent = label), SHOWN_MS)
}
