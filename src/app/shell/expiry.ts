/** The choice of a key's expiry: a number of days, or a date. Forms that mint and forms that roll share it. */
import type { Request as ExpressRequest } from 'express'
import { FieldFault } from '../../core/access/field-fault.js'
import { checkExpiry, type Expiry } from '../../core/access/keys.js'
import { choice } from './components.js'
import { textField } from './form.js'
import { html, type Html } from './html.js'
import { DAY_MS } from './period.js'

/** As the form sent it: `days` is a number or "date". */
export type ExpiryChoice = { days: string; until: string }

const EXPIRY_DAYS = [7, 30, 90, 180, 365] as const

export const expiryFields = (req: ExpressRequest): ExpiryChoice => ({
  days: textField(req, 'days'),
  until: textField(req, 'until'),
})

export function chosenExpiry(fields: ExpiryChoice): Expiry {
  const expiry = expiryTyped(fields)
  checkExpiry(expiry)
  return expiry
}

function expiryTyped({ days, until }: ExpiryChoice): Expiry {
  if (days === 'date') {
    if (until === '') throw new FieldFault('expires', 'Choose the last day on which the key is valid.')
    return { until }
  }
  if (!/^\d{1,3}$/.test(days)) throw new FieldFault('expires', 'Choose a number of days, or a date.')
  return { days: Number(days) }
}

type ExpiryInput = {
  legend: string
  chosen: ExpiryChoice
  fault: string | undefined
  /** A successor may live as long as the key that it replaces. */
  ownDays?: number | undefined
  now?: number
}

const dayIn = (days: number, now: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10)

export function expiryInput({ legend, chosen, fault, ownDays, now = Date.now() }: ExpiryInput): Html {
  const offered = [...new Set([...EXPIRY_DAYS, ...(ownDays === undefined ? [] : [ownDays])])].toSorted((a, b) => a - b)
  const isDate = chosen.days === 'date'
  const option = (value: string, label: Html) => {
    const isChosen = chosen.days === value
    const more = fault !== undefined && !isDate && isChosen && html`autofocus`
    return choice({ type: 'radio', name: 'days', value, isChosen, more }, label)
  }
  return html`<fieldset id="expires" class="${fault !== undefined && 'faulty'}">
    <legend>${legend}</legend>
    <div class="options">
      ${offered.map((days) => option(String(days), dayOption(days, now, days === ownDays)))}
      ${option(
        'date',
        html`until
          <input
            type="date"
            name="until"
            aria-label="Last day"
            value="${chosen.until}"
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
