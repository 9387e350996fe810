/**
 * GET and POST /app/keys/new: four decisions make a key. The answer to the POST shows the secret; nothing keeps it, and
 * the same form sent again mints nothing.
 */
import type { Request as ExpressRequest, RequestHandler } from 'express'
import type { DatasetToChoose } from '../shell/rows.js'
import {
  CAPABILITIES,
  isPreset,
  PRESET_NAMES,
  PRESETS,
  presetTitle,
  type ApiCall,
  type Preset,
} from '../../core/access/capabilities.js'
import { FieldFault } from '../../core/access/field-fault.js'
import { AlreadyMinted, holderOf, mintKey, newKeyId, type KeyWithSecret } from '../../core/access/keys.js'
import { priceText } from '../shell/amounts.js'
import { changeAs } from '../shell/change.js'
import { choice, table, textInput, copyable, factList, instant, type Column } from '../shell/components.js'
import { expiryFields, expiryInput, chosenExpiry, type ExpiryChoice } from '../shell/expiry.js'
import { newKeyField, textField, textFields } from '../shell/form.js'
import { html, type Html } from '../shell/html.js'
import { holdsFeatures, unreadNote, rightsOf } from '../shell/key-state.js'
import { alreadyMinted, badForm } from '../shell/refusals.js'
import type { PageContent } from '../shell/layout.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { datasetsToChoose } from '../shell/statements.js'
import type { ServedAt } from '../../core/origin.js'

/** The form as a person filled it in, with a sentence for each field that is not right. */
type KeyForm = {
  keyId: string
  name: string
  preset: Preset
  reach: 'all' | 'named'
  datasets: readonly string[]
  expiry: ExpiryChoice
  faults: Readonly<Record<string, string>>
}

const blankKeyForm = (): KeyForm => ({
  keyId: newKeyId(),
  name: '',
  preset: 'analyst',
  reach: 'all',
  datasets: [],
  expiry: { days: '90', until: '' },
  faults: {},
})

export function newKeyRoute(calls: readonly ApiCall[]): RequestHandler {
  return async (req, res) => sendPage(res, await newKeyPage(req, { form: blankKeyForm(), calls }))
}

export function mintKeyRoute(calls: readonly ApiCall[]): RequestHandler {
  return async (req, res) => {
    const form = keyForm(req)
    const { orgId, personId } = sessionOf(req)
    const offered = await datasetsToChoose(req.visit.db, orgId)
    const refuse = async (faults: KeyForm['faults']) => {
      res.status(422)
      sendPage(res, await newKeyPage(req, { form: { ...form, faults }, calls }))
    }
    const checked = checkedFields(form, offered)
    if ('faults' in checked) return await refuse(checked.faults)
    try {
      const key = await changeAs(req, 'src/app/pages/new-key.ts: mintKeyRoute', (run) =>
        mintKey(run, {
          keyId: form.keyId,
          org: orgId,
          createdBy: personId,
          preset: form.preset,
          capabilities: undefined,
          ...checked,
        }),
      )
      sendPage(res, mintedPage(key, req.visit.place, unreadNote(key, offered)))
    } catch (error) {
      if (error instanceof AlreadyMinted) throw alreadyMinted(form.keyId)
      if (!(error instanceof FieldFault)) throw error
      await refuse({ [error.field]: error.message })
    }
  }
}

/** Says at once what is not right with any field. Only the database knows whether a date is too near or too far. */
function checkedFields({ name, reach, datasets, expiry }: KeyForm, offered: readonly DatasetToChoose[]) {
  const faults: Record<string, string> = {}
  const check = <Value>(read: () => Value): Value | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error
      faults[error.field] = error.message
      return undefined
    }
  }
  const holder = check(() => holderOf({ name }))
  const named = reach === 'all' ? undefined : check(() => namedDatasets(datasets, offered))
  const chosen = check(() => chosenExpiry(expiry))
  if (holder === undefined || chosen === undefined || Object.keys(faults).length > 0) return { faults }
  return { name: holder, datasets: named, ...chosen }
}

function keyForm(req: ExpressRequest): KeyForm {
  const keyId = newKeyField(req)
  const preset = textField(req, 'preset')
  if (!isPreset(preset)) throw badForm(`The preset is one of ${PRESET_NAMES.join(', ')}.`)
  const reach = textField(req, 'reach')
  if (reach !== 'all' && reach !== 'named') throw badForm('The field "reach" is "all" or "named".')
  const expiry = expiryFields(req)
  return {
    keyId,
    name: textField(req, 'name'),
    preset,
    reach,
    datasets: textFields(req, 'dataset'),
    expiry,
    faults: {},
  }
}

/** The form offers what the organisation can read, so another id comes from a form that is old or made by hand. */
function namedDatasets(layerIds: readonly string[], offered: readonly DatasetToChoose[]): string[] {
  if (layerIds.length === 0) throw new FieldFault('datasets', 'Choose at least one dataset, or all of them.')
  const unknown = layerIds.find((layerId) => !offered.some((each) => each.layerId === layerId))
  if (unknown !== undefined)
    throw new FieldFault('datasets', `Your organisation cannot read "${unknown.slice(0, 60)}" at this moment.`)
  return [...layerIds]
}

type ShownKeyForm = { form: KeyForm; calls: readonly ApiCall[] }

async function newKeyPage(req: ExpressRequest, { form, calls }: ShownKeyForm): Promise<PageContent> {
  const { orgId, orgName } = sessionOf(req)
  const datasets = await datasetsToChoose(req.visit.db, orgId)
  const path = `${req.visit.place.app}/keys`
  return {
    title: 'New key',
    section: '/keys',
    faults: form.faults,
    body: html`<form class="form sheet" method="post" action="${path}/new">
      <p class="quiet">The key acts for ${orgName}, and only reads.</p>
      <input type="hidden" name="key" value="${form.keyId}" />
      ${textInput({
        name: 'name',
        label: '1. Name',
        value: form.name,
        maxLength: 200,
        required: true,
        hint: 'Say who or what holds the key, such as "Ada, notebook" or "map server".',
        fault: form.faults['name'],
      })}
      ${presetInput(form, calls)} ${datasetsInput(form, datasets)}
      ${expiryInput({ legend: '4. Expiry', chosen: form.expiry, fault: form.faults['expires'] })}
      <div class="actions">
        <button class="primary">Mint the key</button>
        <a class="button" href="${path}">Cancel</a>
      </div>
    </form>`,
  }
}

const presetInput = ({ preset: chosen }: KeyForm, calls: readonly ApiCall[]): Html =>
  html`<fieldset>
    <legend>2. Scope</legend>
    ${PRESET_NAMES.map(
      (preset) =>
        html`<label class="option">
          <input
            type="radio"
            name="preset"
            value="${preset}"
            aria-labelledby="${preset}-title"
            aria-describedby="${preset}-capabilities"
            ${preset === chosen && html`checked`}
          />
          <span>
            <strong id="${preset}-title">${presetTitle(preset)}</strong>
            <span id="${preset}-capabilities"
              >${PURPOSES[preset]}<br /><span class="quiet">${PRESETS[preset].join(', ')}</span></span
            >
            <span class="calls">
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

function datasetsInput({ reach, datasets: chosen, faults }: KeyForm, datasets: readonly DatasetToChoose[]): Html {
  const fault = faults['datasets']
  const reachChoice = (value: KeyForm['reach'], label: string) =>
    choice({ type: 'radio', name: 'reach', value, isChosen: reach === value }, label)
  return html`<fieldset id="datasets" class="${fault !== undefined && 'faulty'}">
    <legend>3. Datasets</legend>
    ${reachChoice('all', 'All that the organisation can read, whenever it asks')}
    ${reachChoice('named', 'Only these, for as long as the organisation can read them:')}
    ${fault !== undefined && html`<p class="fault">${fault}</p>`}
    ${
      datasets.length === 0
        ? html`<p class="empty">The organisation can read no dataset now.</p>`
        : html`${featuresNote(datasets)}
            <div class="named">${table('Datasets', datasetChoiceColumns(chosen, fault !== undefined), datasets)}</div>`
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

/** The call that the page offers to try: it needs no parameter, and every preset opens it. */
const TRIED = '/v1/states'

/** `before`: what the person has to know at once, such as what becomes of the key that this one replaces. */
export function mintedPage(key: KeyWithSecret, place: ServedAt, before?: Html | false): PageContent {
  const { origin, basePath, app } = place
  const curl = `curl -H "Authorization: Bearer ${key.secret}" '${origin}${basePath}${TRIED}'`
  return {
    title: 'Copy the secret now',
    section: '/keys',
    body: html`
      <section class="card good-edge" role="status">
        <h2>${key.name}</h2>
        <p>This is the secret. It is shown this once: the service keeps its hash only.</p>
        ${copyable('secret', key.secret)} ${before}
      </section>
      <section class="card">
        <h2>Use it</h2>
        <h3>In a shell</h3>
        ${copyable('curl-line', curl)}
        <h3>In a file of settings</h3>
        ${copyable('env-line', `FRAMES_KEY=${key.secret}`)}
        <div class="try" data-secret="secret" data-address="${basePath}${TRIED}" hidden>
          <button type="button" class="primary">Try it</button>
          <span class="quiet">Calls <code>GET ${TRIED}</code> with this key, from this browser.</span>
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
      <div class="actions">
        <a class="button" href="${app}/keys/${key.keyId}">I have copied it</a>
        <a class="button" href="${basePath}/v1/docs">Documentation of the calls</a>
      </div>
    `,
  }
}
