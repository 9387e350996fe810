/** The pictures of docs/web-app.md: what each shows, and how. take-pictures.long.ts makes them. */
import type { Page } from 'playwright-core'

export type Picture = {
  /** The file of docs/pictures/, without its ending. */
  name: string
  /** Below /app. */
  path: string
  is?: 'phone'
  scheme?: 'dark'
  /** Leads from the page to the view. */
  lead?: (page: Page) => Promise<void>
}

const PEOPLE = 'dataset=lyr_population&attribute=pop_demest26'
const BEFORE = 'with=lyr_population+pop_demest25'
/** TOWN stands for the frame of most people, and AT for its place. */
const FRAME = 'frame=TOWN'

const openDrawer = (link: string) => async (page: Page) => {
  await page.locator('#panel').getByRole('link', { name: link }).click()
  await page.locator('dialog.drawer pre').first().waitFor()
}

const pointAt = async (page: Page) => {
  const box = await page.locator('#map').boundingBox()
  if (box) await page.mouse.move(box.x + box.width * 0.52, box.y + box.height * 0.3, { steps: 2 })
  await page.locator('#map-card:not([hidden])').waitFor()
}

export const pictures: readonly Picture[] = [
  { name: 'map', path: '/map', lead: pointAt },
  { name: 'map-dark', path: '/map', scheme: 'dark' },
  { name: 'map-phone', path: '/map', is: 'phone' },
  { name: 'frame', path: `/map?${FRAME}` },
  {
    name: 'unit-phone',
    path: '/map?state=marembe&lga=lakeside',
    is: 'phone',
    scheme: 'dark',
  },
  { name: 'quantiles', path: `/map?${PEOPLE}&classes=quantiles` },
  { name: 'land-cover', path: '/map?dataset=lyr_terrain&attribute=phy_landcov', scheme: 'dark' },
  { name: 'features', path: `/map?${PEOPLE}&${FRAME}&z=11.6&AT` },
  { name: 'beside', path: `/map?dataset=lyr_terrain&attribute=phy_elevmean&with=lyr_terrain+phy_landcov` },
  { name: 'change', path: `/map?${PEOPLE}&${BEFORE}&as=change` },
  { name: 'answer', path: '/map?question=which+LGA+has+the+most+people' },
  { name: 'statements', path: `/map?${FRAME}`, lead: openDrawer('Show the SQL') },
  { name: 'plan', path: `/map?${FRAME}`, scheme: 'dark', lead: openDrawer('Show the plan') },
  { name: 'take-along', path: `/take?${FRAME}`, is: 'phone' },
  { name: 'ask', path: '/ask?frame=TOWN&question=how+many+people+and+schools' },
  { name: 'find', path: '/find?q=Mobile+app' },
  { name: 'dataset', path: '/datasets/lyr_population' },
  { name: 'new-key', path: '/keys/new', is: 'phone', scheme: 'dark' },
  { name: 'keys', path: '/keys' },
  { name: 'usage', path: '/usage?period=30d', scheme: 'dark' },
]
