/**
 * Names a browser for the list of sessions, such as "Firefox on Linux". The whole User-Agent would say more about a
 * person.
 */

/** The first pattern that matches counts: Edge and Opera call themselves Chrome too, and Chrome calls itself Safari. */
const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
]
const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

export function browserName(userAgent: string | undefined): string | undefined {
  const nameIn = (known: readonly [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system
}
