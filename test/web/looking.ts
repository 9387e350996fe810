/** Looks at a page as people with small screens, dark rooms and screen readers do. */
import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Lists breaches of WCAG 2.2 AA in the open page, such as a weak contrast or a field without a label. */
const breaches = (rules: string) => `axe.run(${rules}).then(({ violations, passes }) => passes.length === 0
    ? ['axe looked at nothing']
    : violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) => [id, target.join(' '), any[0]?.message].join(': '))))`

const CONTRAST_ONLY = "{ runOnly: ['color-contrast'] }"

/** A rule costs half a second: each screen has one scheme, and in the dark only the contrast is checked. */
const SCREENS = [
  { size: { width: 1280, height: 900 }, colorScheme: 'dark', rules: CONTRAST_ONLY },
  { size: { width: 390, height: 800 }, colorScheme: 'light', rules: '{}' },
] as const

/** Looks at the open page on a desk in the dark, and on a phone by day. */
export async function lookAt(page: Page, name: string): Promise<void> {
  await page.evaluate(axe.source)
  for (const { size, colorScheme, rules } of SCREENS) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), size.width, `${name} scrolls sideways`)
    const brightness = await page.evaluate<number>(
      'Number(getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/)[0])',
    )
    assert.ok(colorScheme === 'dark' ? brightness < 50 : brightness > 200, `${name}: ${brightness}`)
    assert.deepEqual(await page.evaluate(breaches(rules)), [], `${name}, ${size.width}, ${colorScheme}`)
  }
}
