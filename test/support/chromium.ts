/** Starts Chromium for tests that use pages as a person does. */
import { chromium, type Browser, type BrowserContext } from 'playwright-core'
import { once } from './once.js'
import { chromiumPath, headlessPath } from './programs.js'

const at = (executablePath: string | undefined) => (executablePath === undefined ? {} : { executablePath })

const args = [
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking',
  '--disable-component-update --disable-sync --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader',
].flatMap((line) => line.split(' '))

/** Fails where Chromium is not installed. */
export const launchChromium = (): Promise<Browser> => chromium.launch({ ...at(headlessPath()), headless: true, args })

/** The Chromium of this test process. It starts at the first call, and ends with the process. */
export const sharedChromium = once(launchChromium)

/** Starts Chromium as a person has it: it keeps its files in `folder`, and pages in memory for the back button. */
export async function startChromiumIn(folder: string): Promise<BrowserContext> {
  const ignoreDefaultArgs = ['--disable-back-forward-cache']
  return await chromium.launchPersistentContext(folder, {
    ...at(chromiumPath()),
    headless: true,
    args,
    ignoreDefaultArgs,
  })
}

export type Observed = {
  /** The addresses that pages asked for. */
  asked: string[]
  /** The errors of scripts and of the console, and the breaches of their policy, that pages reported. */
  complaints: string[]
}

/** Chromium warns of its own when the processor draws in place of a graphics card. */
const DRIVER = /^\[\.WebGL-\w+\]GL Driver Message \(OpenGL, Performance/

/** Notes what every page of a context asks for and complains of. */
export async function observe(context: BrowserContext): Promise<Observed> {
  const observed: Observed = { asked: [], complaints: [] }
  const { asked, complaints } = observed
  context.on('request', (request) => asked.push(request.url()))
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    const isDriver = DRIVER.test(message.text())
    if ((message.type() === 'error' || message.type() === 'warning') && !isDriver) complaints.push(message.text())
  })
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective, event.blockedURI))",
  )
  return observed
}
