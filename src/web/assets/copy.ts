/**
 * Copies a text: each button with `data-copy` holds the id of the element to copy from. Without scripts the button
 * stays hidden, and the reader selects the text.
 */

// The project is compiled without the types of a browser: these are the parts that this page uses.
type CopyButton = {
  hidden: boolean
  textContent: string | null
  dataset: { copy?: string }
  addEventListener: (type: 'click', onClick: () => void) => void
}
declare const document: {
  querySelectorAll: (selector: string) => Iterable<CopyButton>
  getElementById: (id: string) => { textContent: string | null } | null
}
declare const navigator: { clipboard: { writeText: (text: string) => Promise<void> } | undefined }

/** For how long the button says that it copied. */
const SHOWN_MS = 2000

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = navigator.clipboard === undefined
  button.addEventListener('click', () => void copyFrom(button))
}

async function copyFrom(button: CopyButton): Promise<void> {
  const text = document.getElementById(button.dataset.copy ?? '')?.textContent ?? ''
  const label = button.textContent
  try {
    await navigator.clipboard?.writeText(text.trim())
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Copy it by hand'
  }
  setTimeout(() => (button.textContent = label), SHOWN_MS)
}
