/**
 * Keeps a reading that was paid for on the map: the answer comes in place of the one beside the map, which stays where
 * it is. Without this script the form leads to the page Ask, with the same answer.
 */
import { showCopyButtons } from './copy.js'

// The project is compiled without the types of a browser: these are the parts that this script uses.
type SpendPart = {
  innerHTML: string
  action: string
  focus: () => void
  submit: () => void
  setAttribute: (name: string, value: string) => void
  closest: (selector: string) => SpendPart | null
  querySelector: (selector: string) => SpendPart | null
}
type SubmitEvent = { target: SpendPart; defaultPrevented: boolean; preventDefault: () => void }
declare const document: { addEventListener: (type: 'submit', listener: (event: SubmitEvent) => void) => void }
declare const FormData: new (form: SpendPart) => Iterable<[string, string]>

document.addEventListener('submit', (event) => {
  const form = event.target.closest('form.spend')
  const answer = form?.closest('.map-answer')
  if (!form || !answer || event.defaultPrevented) return
  event.preventDefault()
  void spendByForm(form, answer)
})

async function spendByForm(form: SpendPart, answer: SpendPart): Promise<void> {
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
