/** The hands of a person who has a keyboard alone. */
import type { Locator, Page } from 'playwright-core'

/** A page of the app has fewer stops than these. */
const MOST_TABS = 90

const isFocused = (target: Locator) => target.evaluate((stop) => stop.matches(':focus'))
const showsFocus = (target: Locator) => target.evaluate((stop) => stop.matches(':focus-visible'))

export type Hands = ReturnType<typeof keyboard>

export function keyboard(page: Page) {
  const reach = async (is: () => Promise<unknown>, target: Locator) => {
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (await is()) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`The Tab key does not lead to ${target.toString()}.`)
  }
  const tabTo = async (target: Locator) => {
    await reach(() => isFocused(target), target)
    if (!(await showsFocus(target))) throw new Error(`Nobody sees that ${target.toString()} has the focus.`)
  }
  return {
    press: async (button: Locator) => {
      await tabTo(button)
      await page.keyboard.press('Enter')
    },
    choose: async (box: Locator) => {
      if ((await box.getAttribute('type')) === 'checkbox') {
        await tabTo(box)
        return await page.keyboard.press('Space')
      }
      // The Tab key stops once at a group of radio buttons; the arrows move inside.
      const name = await box.getAttribute('name')
      const inGroup = () => page.evaluate(`document.activeElement?.name === '${name}'`)
      await reach(inGroup, box)
      for (let moves = 0; moves < 12 && !(await box.isChecked()); moves += 1) await page.keyboard.press('ArrowDown')
      if (!(await box.isChecked())) throw new Error(`The arrows do not lead to ${box.toString()}.`)
    },
    write: async (field: Locator, text: string) => {
      await tabTo(field)
      await page.keyboard.type(text)
    },
    select: async (list: Locator, value: string) => {
      await tabTo(list)
      await page.keyboard.press('Home')
      for (let moves = 0; moves < 12 && (await list.inputValue()) !== value; moves += 1)
        await page.keyboard.press('ArrowDown')
      if ((await list.inputValue()) !== value) throw new Error(`The arrows do not lead to ${value}.`)
    },
  }
}
