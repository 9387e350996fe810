/**
 * Links a panel to the statements that answered it, to their plans, and to the lines that get the same in a program. The
 * links lead to the page of the panel itself, which draws the panel again and shows what answered it: no statement
 * travels in an address.
 */
import type { Request as ExpressRequest, Request } from 'express'
import type { ExplainedCall } from '../../api/inspect/call.js'
import { callText } from './api-call.js'
import { html, type Html } from './html.js'

/** A panel names a statement by its file in sql/, such as "profile" or "web/datasets_to_choose". `makes`: the figures that it made. */
export type NamedStatement = { name: string; args: readonly unknown[]; makes?: string }

/** A statement over schema analyst, and why no call of the API gives the same. */
export type AnalystSelect = { reason: string; select: string }

/** Says how a program gets the same. The type leaves no panel without a line for a program. */
export type OtherWays =
  | { calls: readonly [ExplainedCall, ...ExplainedCall[]]; analyst?: AnalystSelect }
  | { calls?: undefined; analyst: AnalystSelect }

/**
 * `of` tells the panels of a page apart. `subject` says what the panel tells of, such as "Frame 324378020". `at`: the address
 * that draws the panel again, where it is not that of the page.
 */
export type AnsweredPanel = {
  of: 'panel' | 'units' | 'answer' | `figure-${number}`
  subject: string
  at?: string
  statements: readonly NamedStatement[]
} & OtherWays

const VIEW_TITLES = { sql: 'Show the SQL', plan: 'Show the plan', curl: 'curl', psql: 'psql', python: 'Python' }

export type View = keyof typeof VIEW_TITLES

export const isView = (text: string | undefined): text is View => text !== undefined && Object.hasOwn(VIEW_TITLES, text)

/** A call has no line for an analyst, totals have no call, and the client for Python makes the calls of /v1. */
export const viewsOf = ({ calls, analyst }: OtherWays): View[] => [
  'sql',
  'plan',
  ...(calls ? (['curl'] as const) : []),
  ...(analyst ? (['psql'] as const) : []),
  ...(calls?.some(({ path }) => path.startsWith('/ogc')) ? [] : (['python'] as const)),
]

/** Writes the address of a view. */
export type ViewAddress = (view: View) => string

export function showSql(req: ExpressRequest, answered: { call: ExplainedCall } | AnsweredPanel): Html {
  const { visit } = req
  if ('call' in answered) {
    return viewLinks(callAddress(visit.place.app, answered.call), viewsOf({ calls: [answered.call] }))
  }
  visit.panels.push(answered)
  const { at = pageAddress(req) } = answered
  return viewLinks(panelAddress(req, answered), viewsOf(answered), visit.place.origin + at)
}

/** A figure leads to the statements behind it, with their cost. The script of the map shows its frames meanwhile. */
export function figureLink(req: ExpressRequest, panel: AnsweredPanel, text: string): Html {
  req.visit.panels.push(panel)
  return html`<a href="${panelAddress(req, panel)('plan')}" data-drawer data-figure title="How it was computed"
    >${text}</a
  >`
}

/** A script opens these links in a drawer over the page. */
const viewLinks = (address: ViewAddress, views: readonly View[], link?: string): Html =>
  html`<p class="row close show-sql">
    ${views.map((view) => html`<a href="${address(view)}" data-drawer>${VIEW_TITLES[view]}</a> `)}
    ${
      link !== undefined &&
      html`<button type="button" class="as-link" data-copy data-copy-text="${link}" hidden>Copy link</button>`
    }
  </p>`

/** The links of the drawer and of the page that stands in for it. */
export const viewTabs = (address: ViewAddress, views: readonly View[], shown: View): Html =>
  html`<nav class="row close" aria-label="Ways to the same answer">
    ${views.map(
      (view) =>
        html`<a href="${address(view)}" data-drawer ${view === shown && html`aria-current="page"`}
          >${VIEW_TITLES[view].replace('Show the ', '').replace('plan', 'Plan')}</a
        > `,
    )}
  </nav>`

export const callAddress =
  (app: string, call: ExplainedCall): ViewAddress =>
  (view) =>
    `${app}/sql?call=${encodeURIComponent(callText(call))}&show=${view}`

export const panelAddress =
  (req: ExpressRequest, { of, at = pageAddress(req) }: Pick<AnsweredPanel, 'of' | 'at'>): ViewAddress =>
  (view) => {
    return `${at}${at.includes('?') ? '&' : '?'}show=${view}&of=${of}`
  }

/** The address of the page, without what asks for a part of it. */
export function pageAddress({ url, visit: { place } }: ExpressRequest): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  for (const name of ['part', 'show', 'of']) searchParams.delete(name)
  return `${place.app}${pathname}${searchParams.size === 0 ? '' : `?${searchParams.toString()}`}`
}

export const isForDrawer = ({ context: { asked } }: Request): boolean => asked.get('part')?.[0] === 'drawer'

/** browser/drawer.ts shows it in a drawer over another page. `address` is that of the page that shows the same. */
export const drawerPart = (address: string, title: string, body: Html): Html =>
  html`<header class="row apart">
      <h2 id="drawer-title" tabindex="-1">${title}</h2>
      <div class="row">
        <a class="button" href="${address}">Open as a page</a>
        <button type="button" data-close>Close</button>
      </div>
    </header>
    ${body}`
