/** Starts Chromium for tests that use pages as a person does. */
import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext } from 'playwright-core'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
const inCi = process.env['CI'] === 'true'

/** Stands in the title of tests that need Chromium. */
export const skippedWithoutChromium =
  executablePath === undefined && !inCi ? ' (skipped: Chromium is not installed)' : ''

/** Skips the tests where Chromium is not installed. In CI they fail. */
export async function startChromium(test: Mocha.Context): Promise<Browser> {
  if (executablePath === undefined) {
    if (inCi) throw new Error('Chromium is not installed, and CI has to have it: see .ci/run.')
    return test.skip()
  }
  const args = [
    '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking',
    '--disable-component-update --disable-sync',
  ].flatMap((line) => line.split(' '))
  return await chromium.launch({ executablePath, headless: true, args })
}

export type Observed = {
  /** The addresses that pages asked for. */
  asked: string[]
  /** The errors of scripts and of the console, and the breaches of their policy, that pages reported. */
  complaints: string[]
}

/** Notes what every page of a context asks for and complains of. */
export async function observe(context: BrowserContext): Promise<Observed> {
  const observed: Observed = { asked: [], complaints: [] }
  const { asked, complaints } = observed
  context.on('request', (request) => asked.push(request.url()))
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective, event.blockedURI))",
  )
  return observed
}
