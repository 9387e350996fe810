/** Starts Debian's Firefox for tests that use pages as a person does. Playwright drives it by WebDriver BiDi. */
import { firefox, type Browser } from 'playwright-core'
import { once } from './once.js'
import { firefoxPath } from './programs.js'

/** The clipboard asks nobody, as in Chromium with its permissions; no context has to be told to move less. */
const firefoxUserPrefs = { 'dom.events.testing.asyncClipboard': true, 'ui.prefersReducedMotion': 1 }

/** The Firefox of this test process. It starts at the first call, and ends with the process. It fails where Firefox is not installed. */
export const sharedFirefox = once(async (): Promise<Browser> => {
  const executablePath = firefoxPath()
  const options = executablePath === undefined ? {} : { executablePath }
  const browser = await firefox.launch({ ...options, channel: 'moz-firefox', headless: true, firefoxUserPrefs })
  leaveOutMediaFeatures(browser)
  return browser
})

type Session = { send: (method: string, sent?: unknown) => Promise<unknown> }
type WithServer = { _connection: { toImpl: (of: Browser) => { _browserSession: Session } } }

/**
 * Fault: Playwright sends `emulation.setMediaFeaturesOverride` for every context, which Firefox ESR 153 does not know.
 * Link: the command is in github.com/w3c/webdriver-bidi, section "emulation".
 * Gain: without this, no context opens in Firefox.
 * Delete: when Debian's firefox-esr knows the command.
 */
function leaveOutMediaFeatures(browser: Browser): void {
  const session = (browser as unknown as WithServer)._connection.toImpl(browser)._browserSession
  const sessions = Object.getPrototypeOf(session) as Session
  const { send } = sessions
  sessions.send = async function (this: Session, method, sent) {
    return method === 'emulation.setMediaFeaturesOverride' ? {} : await send.call(this, method, sent)
  }
}
