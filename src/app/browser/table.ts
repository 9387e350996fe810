/**
 * A file that is dropped anywhere on the page is chosen, and its first rows come without the page leaving: the file
 * stays chosen for the download. Without this script the answer is a page, and the same file is chosen again.
 */
const formNow = () => document.querySelector<HTMLFormElement>('form.with-file')
const fileOf = (within: ParentNode | null | undefined) => within?.querySelector<HTMLInputElement>('#file')

document.addEventListener('dragover', (event) => event.preventDefault())
document.addEventListener('drop', (event) => {
  const input = fileOf(formNow())
  const files = event.dataTransfer?.files
  if (!input || !files || files.length === 0) return
  event.preventDefault()
  input.files = files
  formNow()?.requestSubmit(document.querySelector<HTMLElement>('button[name=look]'))
})

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  const button = event.submitter as HTMLButtonElement | null
  if (form !== formNow() || button?.name === 'download') return
  event.preventDefault()
  void look(form)
})

async function look(form: HTMLFormElement): Promise<void> {
  const main = form.closest('main')
  main?.setAttribute('aria-busy', 'true')
  try {
    const body = new FormData(form)
    body.delete('request')
    const response = await fetch(form.action, { method: 'POST', body })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.querySelector('main')
    if (!next) return form.submit()
    const input = fileOf(form)
    if (input) fileOf(next)?.replaceWith(input)
    document.title = page.title
    main?.replaceWith(next)
    const told = next.querySelector<HTMLElement>('[role=alert], #result')
    told?.setAttribute('tabindex', '-1')
    told?.focus()
  } catch {
    // The page of the browser says that there is no connection.
    form.submit()
  } finally {
    main?.removeAttribute('aria-busy')
  }
}
