/** Asks the browser for a passkey before a form with `data-passkey` is sent, and puts the answer into its field. */
import type { PageDocument, PageElement } from './page.js'

type PasskeyAnswer = { toJSON: () => unknown }
declare const document: PageDocument
declare const window: {
  PublicKeyCredential?: {
    parseCreationOptionsFromJSON?: (options: unknown) => unknown
    parseRequestOptionsFromJSON?: (options: unknown) => unknown
  }
}
declare const navigator: {
  credentials: { create: (of: object) => Promise<PasskeyAnswer>; get: (of: object) => Promise<PasskeyAnswer> }
}

const { PublicKeyCredential: webAuthn } = window

if (webAuthn?.parseCreationOptionsFromJSON && webAuthn.parseRequestOptionsFromJSON) {
  for (const note of document.querySelectorAll('[data-passkey-note]')) note.hidden = true
  for (const part of document.querySelectorAll('[data-passkey-part]')) part.hidden = false
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void postAnswer(form)
    })
  }
}

async function postAnswer(form: PageElement): Promise<void> {
  const [fault, field] = [form.querySelector('.fault'), form.querySelector('[name=answer]')]
  if (!fault || !field) return
  fault.textContent = ''
  try {
    const answered = await fetch(`${form.action}/options`, { method: 'POST' })
    if (!answered.ok) throw new Error(`The service answered with ${answered.status}.`)
    const answer = await askDevice(form.dataset['passkey'], await answered.json())
    field.value = JSON.stringify(answer.toJSON())
    form.submit()
  } catch (error) {
    fault.textContent = deviceFault(error as Error)
  }
}

const askDevice = (kind: string | undefined, options: unknown): Promise<PasskeyAnswer> =>
  kind === 'create'
    ? navigator.credentials.create({ publicKey: webAuthn?.parseCreationOptionsFromJSON?.(options) })
    : navigator.credentials.get({ publicKey: webAuthn?.parseRequestOptionsFromJSON?.(options) })

/** Browsers name the faults of authenticators, and word them for developers. */
function deviceFault({ name, message }: Error): string {
  if (name === 'NotAllowedError') return 'No passkey was chosen, or it took too long.'
  if (name === 'InvalidStateError') return 'This device holds a passkey for you already.'
  return message
}
