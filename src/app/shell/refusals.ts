/** Refusals that a person sees as a page: one function for each. */
import { priceText } from './amounts.js'
import type { RefusalReason } from '../../metrics.js'
import { type Role, roleNames } from '../../core/access/index.js'

export type PageRefusal = {
  status: number
  reason: RefusalReason
  title: string
  message: string
  headers?: Record<string, string>
  /** The page of the refusal leads to these pages of the app. */
  links?: readonly { path: string; label: string }[]
}

export class PageError extends Error {
  readonly refusal: PageRefusal

  constructor(refusal: PageRefusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

export const refusal = (
  status: number,
  reason: RefusalReason,
  shown: Omit<PageRefusal, 'status' | 'reason'>,
): PageError => new PageError({ status, reason, ...shown })

export const crossSite = () =>
  refusal(403, 'cross_site', {
    title: 'This form was not sent from this site',
    message: 'Your browser says that another site sent it, so nothing was done. Open the page here and send it again.',
  })
export const notSignedIn = () =>
  refusal(401, 'not_signed_in', {
    title: 'You are signed out',
    message: 'Nothing was done. Your session has ended, or you signed out in another window.',
    links: [{ path: '/sign-in', label: 'Sign in' }],
  })
export const roleLacking = (least: Role) =>
  refusal(403, 'role', {
    title: 'Your role does not open this page',
    message: `${roleNames(least)} of this organisation may open it.`,
  })
export const notOperator = (orgId: string) =>
  refusal(403, 'role', {
    title: 'This page is for operators',
    message: `Owners and Admins of the organisations that the setting OPERATORS names may open it. Yours is ${orgId}.`,
  })
export const badForm = (message: string, status = 400) =>
  refusal(status, 'form', { title: 'This form cannot be read', message })
export const badAddress = (message: string) =>
  refusal(400, 'address', { title: 'This address cannot be read', message })
export const linkNotValid = () =>
  refusal(410, 'link', {
    title: 'This link does not sign you in',
    message: 'A link works once, and for a short time: this one was used, has ended, or is mistyped. Ask for another.',
  })
export const notYoursToSignIn = () =>
  refusal(409, 'form', {
    title: 'No link was made for this member',
    message:
      'The member signs in with a provider, or is in another organisation too, whose data a link would open. A passkey, the provider or a link of the operator signs this member in.',
  })
export const lastOwner = () =>
  refusal(409, 'last_owner', {
    title: 'An organisation keeps an Owner',
    message: 'Nothing was done: this is the last one. Make another member an Owner first.',
  })
export const alreadyMinted = (keyId: string) =>
  refusal(409, 'form', {
    title: 'This key is minted already',
    message:
      'The same form came before, and its answer showed the secret, which is not kept. If nobody copied it, revoke the key and mint another.',
    links: [{ path: `/keys/${keyId}`, label: 'Open the key' }],
  })
export const notRolled = () =>
  refusal(409, 'form', {
    title: 'This key was not rolled',
    message: 'Only a valid key is rolled, and once: this one was rolled before, was revoked, or has expired.',
  })
export const datasetCosts = (name: string, price: number) =>
  refusal(403, 'price', {
    title: 'This dataset costs credits',
    message: `${name} costs ${priceText(price)}. The map shows what costs nothing.`,
  })
export const tookTooLong = () =>
  refusal(503, 'time', {
    title: 'This takes too long now',
    message: 'The database did not answer in time. Nothing was changed; try again in a moment.',
    headers: { 'Retry-After': '5' },
  })
export const tooManyWaiting = (seconds: number) =>
  refusal(503, 'busy', {
    title: 'Too much waits for the database now',
    message: `Too many of your own pages and tiles wait for the database. Try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  })
export const primaryAway = () =>
  refusal(503, 'database', {
    title: 'The database is away',
    message: 'Nothing was changed. Try again in a minute.',
    headers: { 'Retry-After': '60' },
  })
/** The connection may have broken before the change was committed, or after it. */
export const changeUncertain = () =>
  refusal(503, 'database', {
    title: 'The database went away',
    message:
      'It went away during this change, which may have been made or not. Look at the page in a minute, before you try again.',
    headers: { 'Retry-After': '60' },
  })
export const noSuchPage = () =>
  refusal(404, 'not_found', {
    title: 'There is no such page',
    message: 'Its address may be mistyped.',
  })
const TO_DATASETS = [
  { path: '/map', label: 'Open the map' },
  { path: '/datasets', label: 'All datasets' },
]
const ID_SHOWN = 60
/** A dataset that the organisation may not read is as unknown as one that nobody has. */
export const noDatasetPage = (layerId: string) =>
  refusal(404, 'not_found', {
    title: 'Your organisation does not read this dataset',
    message: `Your organisation reads no dataset ${layerId.slice(0, ID_SHOWN)}.`,
    links: TO_DATASETS,
  })
export const noSuchAttribute = (layerId: string, attribute: string) =>
  refusal(404, 'not_found', {
    title: 'This dataset has no such attribute',
    message: `The dataset ${layerId} has no attribute ${attribute.slice(0, ID_SHOWN)}.`,
    links: TO_DATASETS,
  })
export const wrongMethod = (allowed: string) =>
  refusal(405, 'method', {
    title: 'This page is not used that way',
    message: `It takes ${allowed}.`,
    headers: { Allow: allowed },
  })
