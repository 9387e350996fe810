/**
 * Keeps a reading that was paid for on the map: the answer comes in place of the one beside the map, which stays where
 * it is. Without this script the form leads to the page Ask, with the same answer.
 */
import { showCopyButtons } from './copy.js'

document.addEventListener('submit', (event) => {
  const form = (event.target as Element).closest<HTMLFormElement>('form.spend')
  const answer = form?.closest('.map-answer')
  if (!form || !answer || event.defaultPrevented) return
  event.preventDefault()
  void spendByForm(form, answer)
})

async function spendByForm(form: HTMLFormElement, answer: Element): Promise<void> {
  answer.setAttribute('aria-busy', 'true')
  const body = new URLSearchParams([
    ...(new FormData(form) as unknown as Iterable<[string, string]>),
    ['part', 'answer'],
  ])
  try {
    const response = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'text/html' } })
    // A refusal is a page of its own. The same form is charged once, however often it is sent.
    if (!response.ok || response.redirected) return form.submit()
    answer.innerHTML = await response.text()
    answer.setAttribute('aria-busy', 'false')
    showCopyButtons()
    answer.querySelector<HTMLElement>('#answer')?.focus()
  } catch {
    // A page of the browser would take the place of the map. The same form, sent again, is charged once.
    answer.setAttribute('aria-busy', 'false')
    const note = form.querySelector('[role=alert]') ?? document.createElement('p')
    note.setAttribute('role', 'alert')
    note.textContent = 'No connection. Try again once it is back: it is charged once.'
    form.append(note)
  }
}
