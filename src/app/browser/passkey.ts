/** Asks the browser for a passkey before a form with `data-passkey` is sent, and puts the answer into its field. */

const isKnown = 'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in PublicKeyCredential

if (isKnown && 'parseRequestOptionsFromJSON' in PublicKeyCredential) {
  for (const note of document.querySelectorAll<HTMLElement>('[data-passkey-note]')) note.hidden = true
  for (const part of document.querySelectorAll<HTMLElement>('[data-passkey-part]')) part.hidden = false
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void postAnswer(form)
    })
  }
}

async function postAnswer(form: HTMLFormElement): Promise<void> {
  const [fault, field] = [form.querySelector('.fault'), form.querySelector<HTMLInputElement>('[name=answer]')]
  if (!fault || !field) return
  fault.textContent = ''
  try {
    const answered = await fetch(`${form.action}/options`, { method: 'POST' })
    if (!answered.ok) throw new Error(`The service answered with ${answered.status}.`)
    const answer = await askDevice(form.dataset['passkey'], await answered.json())
    field.value = JSON.stringify(answer)
    form.submit()
  } catch (error) {
    fault.textContent = deviceFault(error as Error)
  }
}

const askDevice = (kind: string | undefined, options: unknown): Promise<Credential | null> =>
  kind === 'create'
    ? navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON),
      })
    : navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON),
      })

/** Browsers name the faults of authenticators, and word them for developers. */
function deviceFault({ name, message }: Error): string {
  if (name === 'NotAllowedError') return 'No passkey was chosen, or it took too long.'
  if (name === 'InvalidStateError') return 'This device holds a passkey for you already.'
  return message
}
