/** Draws the head, the navigation of the person's role, and the content of a page. */
import { assetPath } from './assets.js'
import type { Session } from './rows.js'
import { option } from './components.js'
import { html, type Html } from './html.js'
import type { ServedAt } from '../../core/origin.js'
import type { Visit } from './visit.js'
import { mayAs, type Role } from '../../core/access/index.js'

export type PageContent = {
  title: string
  /** The path in the navigation that the page belongs to. */
  section?: string
  /** A sentence for each field of a refused form that is not right, in the order of the page. */
  faults?: Readonly<Record<string, string | undefined>>
  /** The page itself says what is wrong with what was sent. */
  isRefused?: boolean
  /** These buttons stand beside the title. */
  actions?: Html
  /** These scripts run besides those of every page, and these sheets count. */
  scripts?: readonly string[]
  styles?: readonly string[]
  /** The scripts import these modules: the browser fetches them at once. */
  preloads?: readonly string[]
  /** The next page, or this one later, asks for these: the browser has them before. */
  ahead?: readonly string[]
  /** The keyboard leads to this element before all links of the page. */
  skipTo?: { id: string; label: string }
  /** The field of the bar holds this text: the page shows what was found for it. */
  found?: string
  /** The page takes the whole window: the menu holds what stands beside other pages. */
  isWide?: boolean
  /** The bar has this form in place of the one that finds anything. */
  bar?: Html
  body: Html
}

const READ_ONLY = 'The primary database is away: nothing can be changed now, and pages may be some seconds old.'

/** `notice` says what the last form did, such as "The role was changed." */
export function layout(
  page: PageContent & { notice: string | undefined },
  { place, session, isReadOnly }: Visit,
): Html {
  const faults = Object.entries(page.faults ?? {}).filter(([, message]) => message !== undefined)
  const asset = (name: string) => place.app + assetPath(name)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${(faults.length > 0 || page.isRefused) && 'Error: '}${page.title} · Frames</title>
        <link rel="icon" type="image/svg+xml" href="${asset('icon.svg')}" />
        ${['app.css', ...(page.styles ?? [])].map((name) => html`<link rel="stylesheet" href="${asset(name)}" />`)}
        ${(page.preloads ?? []).map((name) => html`<link rel="modulepreload" href="${asset(name)}" />`)}
        ${page.ahead && html`<meta name="ahead" content="${page.ahead.map(asset).join(' ')}" />`}
        ${[
          'copy.js',
          'drawer.js',
          'try.js',
          'typed.js',
          ...(page.ahead ? ['ahead.js'] : []),
          ...(page.scripts ?? []),
        ].map((name) => html`<script type="module" src="${asset(name)}"></script>`)}
      </head>
      <body
        class="${session ? 'signed-in' : 'signed-out'} ${page.isWide && 'whole-window'}"
        data-person="${session?.personId}"
      >
        <a class="skip" href="#content">Skip to the content</a>
        ${page.skipTo && html`<a class="skip" href="#${page.skipTo.id}">${page.skipTo.label}</a>`}
        ${session ? topBar(page, session, place) : brand(place)}
        ${session && !page.isWide && html`<nav class="side" aria-label="Pages">${menuLinks(page, session, place)}</nav>`}
        <main id="content" tabindex="-1">
          <div class="row apart">
            <h1>${page.title}</h1>
            ${page.actions && html`<div class="row">${page.actions}</div>`}
          </div>
          ${faults.length > 0 && faultSummary(faults)}
          ${isReadOnly && html`<p class="notice" role="status">${READ_ONLY}</p>`}
          ${page.notice !== undefined && html`<p class="notice good" role="status">${page.notice}</p>`} ${page.body}
        </main>
      </body>
    </html>`
}

/** A screen reader says at once what is wrong, and each line leads to its field. The first field has the focus. */
const faultSummary = (faults: readonly [field: string, message: string | undefined][]) =>
  html`<div class="notice bad" role="alert">
    <p><strong>Nothing was done: ${faults.length === 1 ? 'a field is' : 'some fields are'} not right.</strong></p>
    <ul>
      ${faults.map(([field, message]) => html`<li><a href="#${field}">${message}</a></li>`)}
    </ul>
  </div>`

const brand = ({ app }: ServedAt) => html`<header class="top"><a class="brand" href="${app}">Frames</a></header>`

/** Small screens have no room beside the page: there a menu holds the same, and opens without a script. */
const topBar = (page: PageContent, session: Session, place: ServedAt) =>
  html`<header class="top">
    <a class="brand" href="${place.app}">Frames</a>
    <span class="one-line ${session.organisations.length > 1 && 'small-only'}">${session.orgName}</span>
    <div class="one-line wide-only">${switching(session, place)}</div>
    ${page.bar ?? html`<div class="wide-only find-place">${findForm(page, place)}</div>`}
    <div class="wide-only person">${signOut(session, place)}</div>
    <details class="menu">
      <summary>Menu</summary>
      <div>
        ${findForm(page, place)}
        <nav aria-label="Pages">${menuLinks(page, session, place)}</nav>
        ${switching(session, place)} ${signOut(session, place)}
      </div>
    </details>
  </header>`

/** Finds what a person has in hand, from every page. */
const findForm = ({ found }: PageContent, { app }: ServedAt) =>
  html`<form role="search" aria-label="Anything" action="${app}/find">
    <label class="find">
      <span>Find</span>
      <input
        type="search"
        name="q"
        value="${found}"
        maxlength="200"
        autocomplete="off"
        placeholder="Request, key, frame, unit …"
      />
    </label>
  </form>`

const signOut = ({ name }: Session, { app }: ServedAt) =>
  html`<form class="row apart" method="post" action="${app}/sign-out">
    <span class="quiet one-line">${name}</span>
    <button class="plain">Sign out</button>
  </form>`

/** A person of one organisation has nothing to choose. */
function switching({ orgId, organisations }: Session, { app }: ServedAt): Html | undefined {
  if (organisations.length < 2) return undefined
  return html`<form class="row" method="post" action="${app}/organisation">
    <select name="organisation" aria-label="Organisation">
      ${organisations.map((each) => option(each.orgId, each.name, each.orgId === orgId))}
    </select>
    <button class="plain">Switch</button>
  </form>`
}

function menuLinks(page: PageContent, { role, isOfOperators }: Session, { app, basePath }: ServedAt): Html {
  const open = sectionsFor(role, isOfOperators)
  const groups = [...new Set(open.map(({ group }) => group))]
  const link = ({ path, title }: Section) =>
    html`<li>
      <a href="${app}${path}" ${page.section === path && html`aria-current="page"`}>${title}</a>
    </li>`
  return html`${groups.map(
    (group) =>
      html`<h2>${group}</h2>
        <ul>
          ${open.filter((section) => section.group === group).map(link)}
          ${group === DOCUMENTED && html`<li><a href="${basePath}/v1/docs" target="_blank">Documentation</a></li>`}
        </ul>`,
  )}`
}

type MenuGroup = 'Explore' | 'Developers' | 'Organisation' | 'Service' | 'You'

type Section = { path: string; title: string; least: Role; group: MenuGroup; forOperators?: true }

/** The pages of the navigation, in its order, and the least role that may open each. */
const sections: readonly Section[] = [
  { path: '/map', title: 'Map', least: 'member', group: 'Explore' },
  { path: '/ask', title: 'Ask', least: 'member', group: 'Explore' },
  { path: '/datasets', title: 'Datasets', least: 'member', group: 'Explore' },
  { path: '/table', title: 'Table', least: 'member', group: 'Explore' },
  { path: '/keys', title: 'Keys', least: 'admin', group: 'Developers' },
  { path: '/events', title: 'Events', least: 'admin', group: 'Developers' },
  { path: '/usage', title: 'Usage', least: 'admin', group: 'Organisation' },
  { path: '/credits', title: 'Credits', least: 'admin', group: 'Organisation' },
  { path: '/members', title: 'Members', least: 'owner', group: 'Organisation' },
  { path: '/health', title: 'Health', least: 'admin', group: 'Service', forOperators: true },
  { path: '/account', title: 'Account', least: 'member', group: 'You' },
]

/** The documentation of the API is no page of the app: its link ends this group, for everybody. */
const DOCUMENTED: MenuGroup = 'Explore'

const sectionsFor = (role: Role, isOfOperators: boolean) =>
  sections.filter(({ least, forOperators }) => mayAs(role, least) && (isOfOperators || !forOperators))

/** The page that a person sees first. */
export const firstPath = (role: Role) => sectionsFor(role, false)[0]?.path ?? '/account'
