/** Looks at a page as people with small screens, dark rooms and screen readers do. */
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { unreadable } from './reading.js'

/** Pages need this script before they are looked at. */
export const AXE = { path: fileURLToPath(import.meta.resolve('axe-core/axe.min.js')) }

/** One on each side of the two widths at which the layout changes, and the narrowest that WCAG names. */
const WIDTHS = [1280, 1000, 390, 320]

/** Breaches of WCAG 2.2 AA in the open page, such as a field without a name. `unreadable` looks at the contrast, in less time. */
const RULES = `{ 'color-contrast': { enabled: false }, 'target-size': { enabled: true } }`
const BREACHES = `axe.run({ resultTypes: ['violations'], rules: ${RULES} }).then(({ violations, passes }) => passes.length === 0
  ? ['axe looked at nothing']
  : violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) => [id, target.join(' '), any[0]?.message].join(': '))))`

/**
 * Fields that people see without a label that they see. The heading of a column labels the fields of a table, and a
 * choice labels the field inside it.
 */
const UNLABELLED = `[...document.querySelectorAll('input, select, textarea')]
  .filter((field) => field.type !== 'hidden' && field.checkVisibility() && !field.closest('td, label'))
  .filter((field) => ![...(field.labels ?? [])].some((label) => label.checkVisibility() && label.getBoundingClientRect().width > 1))
  .map((field) => 'no label is seen: ' + field.outerHTML.slice(0, 120))`

/** Boxes and round buttons that stand higher or lower than the first line of their label. */
const CROOKED = `[...document.querySelectorAll('[type=radio], [type=checkbox]')].filter((box) => box.checkVisibility() && box.labels[0]).flatMap((box) => {
    const texts = document.createTreeWalker(box.labels[0], NodeFilter.SHOW_TEXT, (text) => text.data.trim() === '' ? NodeFilter.FILTER_SKIP : NodeFilter.FILTER_ACCEPT)
    const range = document.createRange()
    range.selectNodeContents(texts.nextNode() ?? box)
    const [line] = range.getClientRects()
    const middle = ({ top, height }) => top + height / 2
    return line && Math.abs(middle(line) - middle(box.getBoundingClientRect())) > 3 ? ['crooked: ' + box.labels[0].textContent.trim().slice(0, 30)] : []
  })`

/** The innermost elements that end right of the screen. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth)
  .filter((one, _i, all) => !all.some((other) => other !== one && one.contains(other)))
  .map((one) => one.outerHTML.slice(0, 80)).join()`

const BACKGROUND = 'Number(getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/)[0])'

/** Returns how the open page scrolls sideways, if it does. */
export async function tooWide(page: Page, widths = WIDTHS): Promise<string[]> {
  const faults: string[] = []
  const height = page.viewportSize()?.height ?? 400
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    const is = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (is !== width) faults.push(`${is} wide on a screen of ${width}: ${await page.evaluate<string>(TOO_WIDE)}`)
  }
  return faults
}

/** Returns the texts that are hard to read, in the dark and in the light. */
export async function tooFaint(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const background = await page.evaluate<number>(BACKGROUND)
    if (colorScheme === 'dark' ? background > 50 : background < 200)
      faults.push(`${colorScheme} is ${background} of 255`)
    faults.push(...(await page.evaluate<string[]>(unreadable)).map((text) => `contrast, ${colorScheme}: ${text}`))
  }
  return faults
}

/** Returns the faults of the open page: sideways scrolling, contrast, labels, names. */
export const faultsOf = async (page: Page): Promise<string[]> => [
  ...(await tooWide(page)),
  ...(await tooFaint(page)),
  ...(await page.evaluate<string[]>(UNLABELLED)),
  ...(await page.evaluate<string[]>(CROOKED)),
  ...(await page.evaluate<string[]>(BREACHES)),
]

/** Reads the red, green and blue of the first pixel of a PNG, whose row begins with a byte for its filter. */
export function firstPixel(png: Buffer): number[] {
  const parts: Buffer[] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return [...inflateSync(Buffer.concat(parts)).subarray(1, 4)]
}
