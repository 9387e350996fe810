/** Looks at a page as people with small screens, dark rooms and screen readers do. */
import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Lists breaches of WCAG 2.2 AA in the open page, such as a weak contrast or a field without a label. */
const breaches = (rules: string) => `axe.run(${rules}).then(({ violations, passes }) => passes.length === 0
    ? ['axe looked at nothing']
    : violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) => [id, target.join(' '), any[0]?.message].join(': '))))`

/** All rules are checked once for each page, on the phone; on other screens and in the dark only the contrast. */
const CONTRAST_ONLY = "{ runOnly: ['color-contrast'] }"

const PHONE = { width: 390, height: 800 }
const SIZES = [{ width: 1280, height: 900 }, PHONE]

/** Looks at the open page on both screens, light and dark. */
export async function lookAt(page: Page, name: string): Promise<void> {
  await page.evaluate(axe.source)
  for (const size of SIZES) {
    await page.setViewportSize(size)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), size.width, `${name} scrolls sideways`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const brightness = await page.evaluate<number>(
        'Number(getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/)[0])',
      )
      assert.ok(colorScheme === 'dark' ? brightness < 50 : brightness > 200, `${name}: ${brightness}`)
      assert.deepEqual(
        await page.evaluate(breaches(size === PHONE && colorScheme === 'light' ? '{}' : CONTRAST_ONLY)),
        [],
        `${name}, ${size.width}, ${colorScheme}`,
      )
    }
  }
}
