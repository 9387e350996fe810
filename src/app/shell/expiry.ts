/** The choice of a key's expiry: a number of days, or a date. Forms that mint and forms that roll share it. */
import { type Expiry, LIFETIME_DAYS } from '../../core/access/index.js'
import { dayValue, wholeNumber } from '../../core/values.js'
import { choice } from './components.js'
import { type Field, type Filled, readKind } from './fields.js'
import { html, type Html } from './html.js'
import { DAY_MS } from './period.js'

const EXPIRY_DAYS = [7, 30, 90, 180, 365] as const
const daysValue = wholeNumber('DAYS', LIFETIME_DAYS.least, LIFETIME_DAYS.most)

/** The form holds it as `days`, which is a number or "date", and `until`. */
export const expiryField: Field<Expiry> = {
  read: ({ text }, name) =>
    text('days') === 'date'
      ? { until: readKind(dayValue, text('until'), name) }
      : { days: readKind(daysValue, text('days'), name) },
}

type ExpiryInput = {
  legend: string
  form: Filled
  /** A successor may live as long as the key that it replaces. */
  ownDays?: number | undefined
  now?: number
}

const dayIn = (days: number, now: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10)

export function expiryInput({ legend, form: { text, faults }, ownDays, now = Date.now() }: ExpiryInput): Html {
  const fault = faults['expires']
  const offered = [...new Set([...EXPIRY_DAYS, ...(ownDays === undefined ? [] : [ownDays])])].toSorted((a, b) => a - b)
  const isDate = text('days') === 'date'
  const option = (value: string, label: Html) => {
    const isChosen = text('days') === value
    const more = fault !== undefined && !isDate && isChosen && html`autofocus`
    return choice({ type: 'radio', name: 'days', value, isChosen, more }, label)
  }
  return html`<fieldset id="expires" class="${fault !== undefined && 'faulty'}">
    <legend>${legend}</legend>
    <div class="row">
      ${offered.map((days) => option(String(days), dayOption(days, now, days === ownDays)))}
      ${option(
        'date',
        html`until
          <input
            type="date"
            name="until"
            aria-label="Last day"
            value="${text('until')}"
            ${fault !== undefined && isDate && html`autofocus aria-invalid="true"`}
            min="${dayIn(7, now)}"
            max="${dayIn(364, now)}"
          />`,
      )}
    </div>
    ${
      fault === undefined
        ? html`<p class="hint">A key is valid for 7 days to a year. The days are those of UTC.</p>`
        : html`<p class="fault">${fault}</p>`
    }
  </fieldset>`
}

const dayOption = (days: number, now: number, isOwn: boolean): Html =>
  html`${days} days <span class="quiet">${dayIn(days, now)}${isOwn && ', as this key'}</span>`
