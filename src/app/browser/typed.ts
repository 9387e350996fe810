/**
 * Keeps what a person typed into a form whose session had ended, in this tab and until the person is back: then the
 * form stands filled, and nothing is sent. Another person who signs in here finds nothing. Hidden fields and passwords
 * are left out.
 */

type Field = { name: string; value: string; checked: boolean }
/** `isLost`: the answer to the form was a page without a session. */
type Typed = { person: string; page: string; action: string; fields: Field[]; isLost: boolean }

const KEY = 'typed'
const FORMS = 'main form[method="post"]'
const FIELDS = 'input:not([type="hidden"], [type="password"], [type="file"]), textarea, select'

const person = document.body.dataset['person'] ?? ''
const fieldsOf = (form: HTMLFormElement) => [...form.querySelectorAll<HTMLInputElement>(FIELDS)]
const keep = (typed: Typed) => sessionStorage.setItem(KEY, JSON.stringify(typed))

function fill({ action, fields }: Typed): void {
  const form = [...document.querySelectorAll<HTMLFormElement>(FORMS)].find((each) => each.action === action)
  if (!form) return
  for (const field of fieldsOf(form)) {
    const isChoice = field.matches('[type="radio"], [type="checkbox"]')
    const typed = fields.find(({ name, value }) => name === field.name && (!isChoice || value === field.value))
    if (!typed) continue
    if (isChoice) field.checked = typed.checked
    else field.value = typed.value
  }
  const note = document.createElement('p')
  note.className = 'notice'
  note.setAttribute('role', 'status')
  note.textContent = 'Your session had ended. What you typed is here again, and was not sent.'
  form.append(note)
}

function resume(typed: Typed): void {
  if (person === '') return keep({ ...typed, isLost: true })
  const isBack = typed.isLost && typed.person === person
  if (isBack && typed.page !== location.pathname) return
  sessionStorage.removeItem(KEY)
  if (isBack) fill(typed)
}

const kept = sessionStorage.getItem(KEY)
if (kept !== null) resume(JSON.parse(kept) as Typed)

document.addEventListener('submit', ({ target }) => {
  const form = target as HTMLFormElement
  if (person === '' || !form.matches(FORMS)) return
  const fields = fieldsOf(form).map(({ name, value, checked }) => ({ name, value, checked }))
  keep({ person, page: location.pathname, action: form.action, fields, isLost: false })
})
