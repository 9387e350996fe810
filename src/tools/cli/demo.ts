/** Says what a person can do once the service listens: a key of each preset for the demo, and calls to try. */
import {
  DEMO_ORGANISATION,
  demoOrAny,
  type Key,
  listKeys,
  listMembers,
  listOrganisations,
  makeSignInLink,
  mintKey,
  PRESET_NAMES,
  withdrawLinks,
} from '../../core/access/index.js'
import { type Database, type Embedded, type RunQuery, sqlText } from '../../core/db/index.js'

const MINT_OPTIONS = '--name "who holds it" --preset full-read --expires 30d'

export type DemoKey = Key & { preset: string; secret: string }

/** Returns undefined where the organisation has keys: nobody can show their secrets again. */
export async function mintDemo(db: Database): Promise<DemoKey[] | undefined> {
  if (!(await demoOrganisation(db)) || (await listKeys(db.run, DEMO_ORGANISATION)).length > 0) return undefined
  const keys: DemoKey[] = []
  for (const preset of PRESET_NAMES) {
    const name = `demo, ${preset}`
    const wanted = { org: DEMO_ORGANISATION, name, preset, capabilities: undefined, datasets: undefined, days: 365 }
    const mint = (run: RunQuery) => mintKey(run, wanted)
    keys.push({ preset, ...(await db.change('src/tools/cli/demo.ts: mintDemo', mint)) })
  }
  return keys
}

const demoOrganisation = async (db: Database) =>
  (await listOrganisations(db.run)).find(({ name }) => name === DEMO_ORGANISATION)

const DEMO_OWNER = 'Demo owner'
const LINK_MINUTES = 15

/**
 * Makes the link by which the owner of the demo organisation signs in. Each start makes a new one, and withdraws that
 * of the start before. Undefined where the demo organisation was removed.
 */
export async function makeDemoLink(db: Database): Promise<string | undefined> {
  const demo = await demoOrganisation(db)
  if (!demo) return undefined
  return await db.change('src/tools/cli/demo.ts: makeDemoLink', async (run) => {
    const { orgId } = demo
    const owner = (await listMembers(run, orgId)).find(({ role }) => role === 'owner')
    await withdrawLinks(run, { orgId, name: DEMO_OWNER, personId: owner?.personId })
    const invited = owner ? { personId: owner.personId } : { name: DEMO_OWNER, email: undefined }
    return await makeSignInLink(run, { orgId, role: 'owner', ...invited, minutes: LINK_MINUTES })
  })
}

type FrameToTry = { id: string; lon: string; lat: string; bbox: string; state: string | null; lga: string | null }

/** The lines to try name this frame and this organisation of the database. */
export type ToTry = { frame: FrameToTry | undefined; org: string }

/** Stands for an organisation where there is none yet. */
const ANY_NAME = 'NAME'

/** The examples that the start prints if the database gave none. */
export const NOTHING_TO_TRY: ToTry = { frame: undefined, org: ANY_NAME }

export async function whatToTry(db: Database): Promise<ToTry> {
  const [frame] = await db.rows<FrameToTry>(sqlText('inspect/frame_to_try'), [])
  return { frame, org: (await demoOrAny(db.run)) ?? ANY_NAME }
}

/** Lines for a person to paste. Only these lines ever show the secrets of the keys. */
export function linesToTry(url: string, keys: DemoKey[] | undefined, { frame, org }: ToTry): string[] {
  const curl = (path: string) => `  curl -H "Authorization: Bearer $KEY" '${url}${path}'`
  const secrets = keys?.map(({ preset, secret }) => `  ${preset.padEnd(10)} ${secret}`) ?? []
  const another = [
    ...(org === ANY_NAME ? [`  npm run -s frames -- orgs create --name ${ANY_NAME} --plan trial`] : []),
    `  npm run -s frames -- keys mint --org ${quoted(org)} ${MINT_OPTIONS}`,
  ]
  return [
    ...(keys ? ['', 'Keys of the organisation "demo", valid for a year and shown this once:', ...secrets] : []),
    '',
    'Try it:',
    `  export KEY=${keys?.at(-1)?.secret ?? 'svc_sk_...'}`,
    ...(frame
      ? callsToTry(frame).map(curl)
      : [curl('/v1/states'), '  (an index without frames needs a country first: docs/load.md says how to load one)']),
    ...(keys ? [] : ['', org === ANY_NAME ? 'An organisation and its key:' : 'Another key:', ...another]),
  ]
}

function callsToTry({ id, lon, lat, bbox, state, lga }: FrameToTry): string[] {
  const unit = Object.entries({ state, lga }).filter((entry): entry is [string, string] => entry[1] !== null)
  return [
    `/v1/frames/at?lat=${lat}&lon=${lon}`,
    `/v1/frames?bbox=${bbox}`,
    unit.length === 0
      ? '/v1/states'
      : // A single quote would end the argument of curl.
        `/v1/frames?${unit.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`).join('&')}&limit=5`,
    `/v1/frames/data?ids=${id}`,
  ]
}

/** As a shell reads it. */
const quoted = (text: string) => (/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

export const WEB_OFF = 'The web app is off: docs/settings.md says how PUBLIC_URL switches it on.'

type Addresses = { url: string; opsUrl: string; link?: string }

export function welcome(
  { url, opsUrl, link }: Addresses,
  embedded: Embedded | undefined,
  { keys, toTry }: { keys: DemoKey[] | undefined; toTry: ToTry },
): string {
  const lines = [
    ...(link === undefined ? [] : [`Open ${link}`, '  (it signs you in once, within 15 minutes)']),
    `Listening on ${url}`,
    `Documentation of the calls: ${url}/v1/docs`,
    `Probes and metrics on ${opsUrl}: /livez, /readyz, /metrics`,
  ]
  lines.push(...linesToTry(url, keys, toTry))
  if (embedded) {
    const { host, port, user, database } = embedded.target
    lines.push('', 'Look into the database:', `  psql -h '${host}' -p ${port} -U ${user} ${database}`)
  }
  return lines.join('\n')
}
