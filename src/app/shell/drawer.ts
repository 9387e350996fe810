/** The part of a page that browser/drawer.ts shows in a drawer over another page. */
import type { Request } from 'express'
import { html, type Html } from './html.js'

export const isForDrawer = ({ context: { asked } }: Request): boolean => asked.get('part')?.[0] === 'drawer'

/** `address` is that of the page that shows the same. */
export const drawerPart = (address: string, title: string, body: Html): Html =>
  html`<header class="head">
      <h2 id="drawer-title" tabindex="-1">${title}</h2>
      <div class="actions">
        <a class="button" href="${address}">Open as a page</a>
        <button type="button" data-close>Close</button>
      </div>
    </header>
    ${body}`
