/**
 * GET and POST /app/keys/new: four decisions make a key. The answer to the POST shows the secret; nothing keeps it, and
 * the same form sent again mints nothing.
 */
import type { Request as ExpressRequest, RequestHandler } from 'express'
import type { DatasetToChoose } from '../shell/rows.js'
import {
  type ApiCall,
  CAPABILITIES,
  FieldFault,
  keyIdValue,
  type KeyWithSecret,
  newKeyId,
  type Preset,
  PRESET_NAMES,
  PRESETS,
  presetTitle,
  presetValue,
} from '../../core/access/index.js'
import { textValue, wordValue } from '../../core/values.js'
import { priceText } from '../shell/amounts.js'
import { choice, type Column, copyable, factList, instant, table } from '../shell/components.js'
import { expiryField, expiryInput } from '../shell/expiry.js'
import { type Field, type Filled, given, offered, typed } from '../shell/fields.js'
import { html, type Html } from '../shell/html.js'
import { holdsFeatures, rightsOf } from '../shell/key-state.js'
import type { PageContent } from '../shell/layout.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { datasetsToChoose } from '../shell/statements.js'
import { frameWithRecord } from '../catalogue/statements.js'
import type { Reader } from '../../core/db/index.js'
import type { ServedAt } from '../../core/origin.js'

const datasetsField: Field<string[] | undefined> = {
  read: (form, name) => {
    if (reachField.read(form, 'reach') === 'all') return undefined
    const layerIds = form.texts('dataset')
    if (layerIds.length === 0) throw new FieldFault(name, 'Choose at least one dataset, or all of them.')
    return [...layerIds]
  },
}
const reachField = given(wordValue('REACH', ['all', 'named']))

export const keyFields = {
  key: given(keyIdValue),
  name: typed(textValue('NAME'), {
    label: '1. Name',
    required: true,
    hint: 'Say who or what holds the key, such as "Ada, notebook" or "map server".',
  }),
  preset: given(presetValue),
  datasets: datasetsField,
  expires: expiryField,
}

const blankKey = (): Filled => offered({ key: newKeyId(), preset: 'analyst', reach: 'all', days: '90' })

export function newKeyRoute(calls: readonly ApiCall[]): RequestHandler {
  return async (req, res) => sendPage(res, await newKeyPage(req, blankKey(), calls))
}

export async function newKeyPage(req: ExpressRequest, form: Filled, calls: readonly ApiCall[]): Promise<PageContent> {
  const { orgId, orgName } = sessionOf(req)
  const datasets = await datasetsToChoose(req.visit.db, orgId)
  const path = `${req.visit.place.app}/keys`
  return {
    title: 'New key',
    section: '/keys',
    faults: form.faults,
    body: html`<form class="form sheet" method="post" action="${path}/new">
      <p class="quiet">The key acts for ${orgName}, and only reads.</p>
      <input type="hidden" name="key" value="${form.text('key')}" />
      ${keyFields.name.draw(form, 'name')} ${presetInput(form.text('preset'), calls)} ${datasetsInput(form, datasets)}
      ${expiryInput({ legend: '4. Expiry', form })}
      <div class="row">
        <button class="primary">Mint the key</button>
        <a class="button" href="${path}">Cancel</a>
      </div>
    </form>`,
  }
}

const presetInput = (chosen: string, calls: readonly ApiCall[]): Html =>
  html`<fieldset>
    <legend>2. Scope</legend>
    ${PRESET_NAMES.map(
      (preset) =>
        html`<label class="option panel row">
          <input
            type="radio"
            name="preset"
            value="${preset}"
            aria-labelledby="${preset}-title"
            aria-describedby="${preset}-capabilities"
            ${preset === chosen && html`checked`}
          />
          <span class="field">
            <strong id="${preset}-title">${presetTitle(preset)}</strong>
            <span id="${preset}-capabilities"
              >${PURPOSES[preset]}<br /><span class="quiet">${PRESETS[preset].join(', ')}</span></span
            >
            <span class="row close">
              ${calls
                .filter(({ capability }) => (PRESETS[preset] as readonly string[]).includes(capability))
                .map(({ method, path }) => html`<code>${method} ${path}</code> `)}
            </span>
          </span>
        </label>`,
    )}
    <p class="hint">${withoutCall(calls).join(', ')} open nothing in this service yet.</p>
  </fieldset>`

const PURPOSES: Readonly<Record<Preset, string>> = {
  locality: 'Reads frames, units, and the values that baselines record.',
  analyst: 'The same, and asks questions.',
  'full-read': 'The same, and reads features: the points, lines and polygons of datasets.',
}

/** feature.read opens no call of its own: it adds the features to the answer of /v1/frames/data. */
const withoutCall = (calls: readonly ApiCall[]): string[] =>
  CAPABILITIES.filter((each) => each !== 'feature.read' && !calls.some(({ capability }) => capability === each))

function datasetsInput({ text, texts, faults }: Filled, datasets: readonly DatasetToChoose[]): Html {
  const fault = faults['datasets']
  const reachChoice = (value: 'all' | 'named', label: string) =>
    choice({ type: 'radio', name: 'reach', value, isChosen: text('reach') === value }, label)
  return html`<fieldset id="datasets" class="${fault !== undefined && 'faulty'}">
    <legend>3. Datasets</legend>
    ${reachChoice('all', 'All that the organisation can read, whenever it asks')}
    ${reachChoice('named', 'Only these, for as long as the organisation can read them:')}
    ${fault !== undefined && html`<p class="fault">${fault}</p>`}
    ${
      datasets.length === 0
        ? html`<p class="empty">The organisation can read no dataset now.</p>`
        : html`${featuresNote(datasets)}
          ${table('Datasets', datasetChoiceColumns(texts('dataset'), fault !== undefined), datasets)}`
    }
  </fieldset>`
}

/** The style sheet shows it while a dataset of features is ticked, and the preset reads none. */
const featuresNote = (datasets: readonly DatasetToChoose[]): Html | false =>
  datasets.some(holdsFeatures) &&
  html`<p class="notice warn features-note">
    A key of this scope reads nothing of datasets of features: choose <strong>${presetTitle('full-read')}</strong> for
    them.
  </p>`

const datasetChoiceColumns = (chosen: readonly string[], isFaulty: boolean): Column<DatasetToChoose>[] => [
  {
    heading: 'Dataset',
    cell: (dataset) =>
      choice(
        {
          type: 'checkbox',
          name: 'dataset',
          value: dataset.layerId,
          isChosen: chosen.includes(dataset.layerId),
          more: html`${holdsFeatures(dataset) && html`data-features`} ${isFaulty && html`autofocus`}`,
        },
        html`${dataset.name}<br /><code>${dataset.layerId}</code>`,
      ),
    width: 'wide',
  },
  {
    heading: 'Holds',
    cell: (dataset) => (holdsFeatures(dataset) ? 'features' : 'values of frames'),
    width: 'short',
  },
  { heading: 'Owner', cell: ({ owner }) => owner },
  { heading: 'Vintage', cell: ({ vintage }) => vintage ?? 'not said', width: 'short' },
  {
    heading: 'Price',
    width: 'short',
    cell: ({ price }) => (price === null ? 'free' : priceText(price)),
  },
]

/** Every preset opens it, and it needs no parameter. */
const WITHOUT_DATASET = '/v1/states'
/** A dataset may have no record: others are looked at, but not all of a long list. */
const TRIED_MOST = 10

type ToTry = { known: readonly DatasetToChoose[]; reader: Reader }

/** The call that the page offers to try reads what the key may read: a record of a dataset that was chosen. */
async function callToTry({ datasets, capabilities }: KeyWithSecret, { known, reader }: ToTry): Promise<string> {
  const chosen = known.filter(({ layerId }) => datasets?.includes(layerId))
  for (const { layerId, kind, price } of chosen.slice(0, TRIED_MOST)) {
    if (price !== null || (kind !== 'frames' && !capabilities.includes('feature.read'))) continue
    const [frame] = await frameWithRecord(reader, layerId)
    if (frame) return `/v1/frames/data?ids=${frame.id}&datasets=${encodeURIComponent(layerId)}`
  }
  return WITHOUT_DATASET
}

/** `before`: what the person has to know at once, such as what becomes of the key that this one replaces. */
export async function mintedPage(
  key: KeyWithSecret,
  toTry: ToTry & { place: ServedAt },
  before?: Html | false,
): Promise<PageContent> {
  const { origin, basePath, app } = toTry.place
  const tried = await callToTry(key, toTry)
  const curl = `curl -H "Authorization: Bearer ${key.secret}" '${origin}${basePath}${tried}'`
  return {
    title: 'Copy the secret now',
    section: '/keys',
    body: html`
      <section class="panel" role="status">
        <h2>${key.name}</h2>
        <p>This is the secret. It is shown this once: the service keeps its hash only.</p>
        ${copyable('secret', key.secret)} ${before}
      </section>
      <section class="panel">
        <h2>Use it</h2>
        <h3>In a shell</h3>
        ${copyable('curl-line', curl)}
        <h3>In a file of settings</h3>
        ${copyable('env-line', `FRAMES_KEY=${key.secret}`)}
        <div class="row try" data-secret="secret" data-address="${basePath}${tried}" hidden>
          <button type="button" class="primary">Try it</button>
          <span class="quiet">Calls <code>GET ${tried}</code> with this key, from this browser.</span>
          <p role="status"></p>
          <pre hidden tabindex="0" role="region" aria-label="Answer"></pre>
        </div>
      </section>
      ${factList([
        ['Key', html`<code>${key.keyId}</code>`],
        ['May', rightsOf(key)],
        ['Datasets', key.datasets?.join(', ') ?? 'every dataset that the organisation can read'],
        ['Valid until', instant(new Date(key.expiresAt))],
      ])}
      <div class="row">
        <a class="button" href="${app}/keys/${key.keyId}">I have copied it</a>
        <a class="button" href="${basePath}/v1/docs" target="_blank">Documentation of the calls</a>
      </div>
    `,
  }
}
