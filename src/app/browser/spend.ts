/**
 * Keeps a reading that was paid for on the map: the answer comes in place of the one beside the map, which stays where
 * it is. Without this script the form leads to the page Ask, with the same answer.
 */
import { showCopyButtons } from './copy.js'

// The project is compiled without the types of a browser: these are the parts that this script uses.
type Part = {
  innerHTML: string
  action: string
  focus: () => void
  submit: () => void
  setAttribute: (name: string, value: string) => void
  closest: (selector: string) => Part | null
  querySelector: (selector: string) => Part | null
}
type SubmitEvent = { target: Part; defaultPrevented: boolean; preventDefault: () => void }
declare const document: { addEventListener: (type: 'submit', listener: (event: SubmitEvent) => void) => void }
declare const FormData: new (form: Part) => Iterable<[string, string]>

document.addEventListener('submit', (event) => {
  const form = event.target.closest('form.spend')
  const answer = form?.closest('.map-answer')
  if (!form || !answer || event.defaultPrevented) return
  event.preventDefault()
  void spend(form, answer)
})

async function spend(form: Part, answer: Part): Promise<void> {
  answer.setAttribute('aria-busy', 'true')
  const body = new URLSearchParams([...new FormData(form), ['part', 'answer']])
  try {
    const response = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'text/html' } })
    // A refusal is a page of its own. The same form is charged once, however often it is sent.
    if (!response.ok || response.redirected) return form.submit()
    answer.innerHTML = await response.text()
    answer.setAttribute('aria-busy', 'false')
    showCopyButtons()
    answer.querySelector('#answer')?.focus()
  } catch {
    form.submit()
  }
}
