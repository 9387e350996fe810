/** Parts that several pages share. */
import { html, type Html, type HtmlValue } from './html.js'

const dayText = (at: Date): string =>
  at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Writes an instant, such as "22 Nov 2026, 15:45 UTC": everybody in an organisation reads the same. */
export const instantText = (at: Date): string => `${dayText(at)}, ${at.toISOString().slice(11, 16)} UTC`

export const instant = (at: Date): Html => html`<time datetime="${at.toISOString()}">${instantText(at)}</time>`

/** Writes the second too, which tells rows of one minute apart. */
export const exactInstant = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${dayText(at)}, ${at.toISOString().slice(11, 19)} UTC</time>`

/** Writes the day of an instant, such as "22 Nov 2026". A tooltip shows the instant. */
export const dayOf = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}" title="${instantText(at)}">${dayText(at)}</time>`

const STEPS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const

/**
 * Writes the time until or since an instant, such as "3 hours ago" or "in 12 days". A tooltip shows the instant. It is
 * rounded, so that a key minted for 90 days ends "in 90 days" a moment later.
 */
export function distance(at: Date, now = new Date()): Html {
  const seconds = (at.getTime() - now.getTime()) / 1000
  const step = STEPS.find((each) => Math.abs(seconds) >= each.seconds)
  const text = step
    ? new Intl.RelativeTimeFormat('en').format(Math.round(seconds / step.seconds), step.unit)
    : seconds <= 0
      ? 'just now'
      : 'in a moment'
  return html`<time datetime="${at.toISOString()}" title="${instantText(at)}">${text}</time>`
}

export const badge = (text: string, kind: 'good' | 'warn' | 'bad' | 'plain' = 'plain'): Html =>
  html`<span class="badge ${kind}">${text}</span>`

/** `name` connects the field with its label, its hint and its fault. */
export type Field = { name: string; label: string; hint?: string | undefined; fault?: string | undefined }

/** Puts the label above the control, and the fault or the hint below it. */
const labelled = ({ name, label, hint, fault }: Field, control: Html): Html =>
  html`<div class="field ${fault !== undefined && 'faulty'}">
    <label for="${name}">${label}</label>
    ${control} ${fault !== undefined && html`<p class="fault" id="${name}-note">${fault}</p>`}
    ${fault === undefined && hint !== undefined && html`<p class="hint" id="${name}-note">${hint}</p>`}
  </div>`

/** Connects a control with its fault or hint for screen readers. */
const describedBy = ({ name, hint, fault }: Field): Html | false =>
  (hint !== undefined || fault !== undefined) &&
  html`aria-describedby="${name}-note" ${fault !== undefined && html`aria-invalid="true" autofocus`}`

export type TextInput = Field & {
  value?: string | undefined
  type?: 'text' | 'email'
  maxLength: number
  required?: boolean
}

export function textInput({ value = '', type = 'text', maxLength, required = false, ...field }: TextInput): Html {
  return labelled(
    field,
    html`<input
      id="${field.name}"
      name="${field.name}"
      type="${type}"
      value="${value}"
      maxlength="${maxLength}"
      autocomplete="off"
      ${required && html`required`}
      ${describedBy(field)}
    />`,
  )
}

export type SelectOption = { value: string; label: string }

export const option = (value: string, label: string, isChosen: boolean): Html =>
  html`<option value="${value}" ${isChosen && html`selected`}>${label}</option>`

export const selectInput = ({
  options,
  chosen,
  ...field
}: Field & { options: readonly SelectOption[]; chosen: string }): Html =>
  labelled(
    field,
    html`<select id="${field.name}" name="${field.name}" ${describedBy(field)}>
      ${options.map(({ value, label }) => option(value, label, value === chosen))}
    </select>`,
  )

type Confirmation = { label: string; question: Html | string; action: string; button: string; fields?: Html }

/** Draws a button that asks once before it does what cannot be undone. It opens without a script. */
export const confirmation = ({ label, question, action, button, fields }: Confirmation): Html =>
  html`<details class="confirm">
    <summary>${label}</summary>
    <form method="post" action="${action}">
      <p>${question}</p>
      ${fields}
      <button class="danger">${button}</button>
    </form>
  </details>`

type Choice = { type: 'radio' | 'checkbox'; name: string; value: string; isChosen: boolean; more?: Html | false }

/** A radio button or a box, with its label beside it. `more` are attributes. */
export const choice = ({ type, name, value, isChosen, more }: Choice, label: Html | string): Html =>
  html`<label class="choice">
    <input type="${type}" name="${name}" value="${value}" ${isChosen && html`checked`} ${more} />
    <span>${label}</span>
  </label>`

/** Lines of a title and a value. A line without a value is left out. */
export const factList = (facts: readonly (readonly [title: string, value: HtmlValue])[], isCard = false): Html =>
  html`<dl class="facts${isCard && ' panel'}">
    ${facts.map(
      ([title, value]) =>
        value !== null &&
        value !== undefined &&
        value !== false &&
        value !== '' &&
        html`<dt>${title}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`

/** The page Find shows the call, or the charge, with this request id. */
export const requestLink = (app: string, requestId: string | null): Html =>
  requestId === null
    ? html`not kept`
    : html`<a href="${app}/find?q=${encodeURIComponent(requestId)}"><code>${requestId}</code></a>`

/** A part that opens by a click: `twin` is another form of what stands above it, `fold` is more. */
export const folded = (kind: 'twin' | 'fold', summary: string, body: HtmlValue): Html =>
  html`<details class="${kind}">
    <summary>${summary}</summary>
    ${body}
  </details>`

/** A number that sums a page up. */
export const figure = (title: string, value: string, note: string | false): Html =>
  html`<div class="figure">
    <span class="quiet">${title}</span>
    <span class="number">${value}</span>
    ${note !== false && html`<span class="quiet">${note}</span>`}
  </div>`

/** Stands where a list is empty, and says what to do about it. */
export const emptyState = (title: string, body: Html): Html =>
  html`<div class="empty stack">
    <p><strong>${title}</strong></p>
    ${body}
  </div>`

/** Draws a text to copy, with a button that appears where scripts run. */
export const copyable = (id: string, text: string): Html =>
  html`<div class="copyable">
    <code id="${id}">${text}</code>
    <button type="button" class="plain" data-copy="${id}" hidden>Copy</button>
  </div>`

/** A text of several lines, which scrolls. Its button stands above it, where a long text leaves it in view. */
export const copyableText = (id: string, text: Html | string, label: string): Html =>
  html`<div class="copyable lines">
    <button type="button" class="plain" data-copy="${id}" hidden>Copy</button>
    <pre id="${id}" tabindex="0" role="region" aria-label="${label}">${text}</pre>
  </div>`

/**
 * A column has a heading, and makes the cell of each row. Numbers stand on the right. On a small screen short
 * cells stand beside each other, and `minor` ones are left out: the page of the row has them too.
 */
export type Column<Row> = {
  heading: string
  cell: (row: Row) => Html | string | number | false
  align?: 'number'
  width?: 'wide' | 'short' | 'minor'
}

/** On a small screen each row becomes a card, whose lines name their columns. A table too wide for its place scrolls. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const kind = ({ align, width }: Column<Row>) => [align, width].filter(Boolean).join(' ')
  return html`<div class="scrolled">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class="${kind(column)}">${column.heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map(
                (column) => html`<td class="${kind(column)}" data-label="${column.heading}">${column.cell(row)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** A section of one table, where the table has rows. */
export const tableSection = <Row>(
  title: string,
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Html | false =>
  rows.length > 0 &&
  html`<section>
    <h2>${title}</h2>
    ${table(caption, columns, rows)}
  </section>`
