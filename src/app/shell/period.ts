/** The periods of the pages about use and credits: the last days, or a month. Days and months are UTC. */
import type { Request as ExpressRequest } from 'express'
import { option } from './components.js'
import { html, type Html } from './html.js'
import { badAddress } from './refusals.js'

/** `first` and `last` are days such as "2026-11-22", both in the period. */
export type Period = { name: string; title: string; first: string; last: string }

export const DAY_MS = 24 * 3600 * 1000
const PERIOD_DAYS = [7, 30, 90] as const
const MONTHS = 12
const USUAL_PERIOD = '30d'

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

export const lastDays = (days: number, now = Date.now()): Period => ({
  name: `${days}d`,
  title: `Last ${days} days`,
  first: isoDay(now - (days - 1) * DAY_MS),
  last: isoDay(now),
})

/** `back` counts months before the present one. */
function monthBefore(back: number, now: number): Period {
  const at = new Date(now)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() - back]
  const first = new Date(Date.UTC(year, month, 1))
  return {
    name: first.toISOString().slice(0, 7),
    title: first.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
    first: isoDay(first.getTime()),
    last: isoDay(Math.min(Date.UTC(year, month + 1, 0), now)),
  }
}

const periods = (now: number): Period[] => [
  ...PERIOD_DAYS.map((days) => lastDays(days, now)),
  ...Array.from({ length: MONTHS }, (_, back) => monthBefore(back, now)),
]

/** The period that the address names, as ?period=7d or ?period=2026-11. */
export function periodOf({ context: { asked } }: Pick<ExpressRequest, 'context'>, now = Date.now()): Period {
  const [name = USUAL_PERIOD] = asked.get('period') ?? []
  const period = periods(now).find((each) => each.name === name)
  if (!period)
    throw badAddress(`period: "${name.slice(0, 20)}" came; 7d, 30d, 90d, and months such as 2026-11 are accepted.`)
  return period
}

export const periodText = ({ title, first, last }: Period): string => `${title}: ${first} to ${last}, in days of UTC.`

export const daysOf = ({ first, last }: Period): string[] => {
  const days: string[] = []
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) days.push(isoDay(at))
  return days
}

/** Such as "22 Nov". */
export const shortDay = (day: string): string =>
  new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A form with the period, and with whatever else a page lets people choose. */
export const periodForm = (action: string, chosen: Period, more?: Html): Html =>
  html`<form class="row" method="get" action="${action}">
    <label for="period">Period</label>
    <select id="period" name="period">
      ${periods(Date.now()).map(({ name, title }) => option(name, title, name === chosen.name))}
    </select>
    ${more}
    <button>Show</button>
  </form>`
