/**
 * Calls the API with the key that the page shows, and shows what came. Without scripts the button stays hidden, and the
 * line for curl does the same.
 */

/** As much of the answer as a person reads. */
const SHOWN_CHARACTERS = 2000

const tryForm = document.querySelector<HTMLElement>('.try')
if (tryForm) {
  tryForm.hidden = false
  tryForm.querySelector('button')?.addEventListener('click', () => void tryKey(tryForm))
}

async function tryKey(area: HTMLElement): Promise<void> {
  const [note, answer] = [area.querySelector('p'), area.querySelector('pre')]
  const secret = document.getElementById(area.dataset['secret'] ?? '')?.textContent?.trim() ?? ''
  if (!note || !answer) return
  note.textContent = 'Calling…'
  try {
    const response = await fetch(area.dataset['address'] ?? '', {
      headers: { Authorization: `Bearer ${secret}` },
      credentials: 'omit',
    })
    const text = await response.text()
    note.textContent = response.ok ? `The key works: ${response.status} came.` : `${response.status} came.`
    answer.hidden = false
    answer.textContent = readable(text).slice(0, SHOWN_CHARACTERS)
  } catch {
    note.textContent = 'No answer came. Is the service running?'
  }
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
