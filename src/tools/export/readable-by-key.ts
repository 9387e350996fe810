/** Refuses datasets without values for a key, before a call is charged for the others. */
import { setTimeout as sleep } from 'node:timers/promises'
import { didYouMean } from '../../core/nearest.js'

type Dataset = { layerId: string; kind: string }
type ToolResult = { isError?: boolean; structuredContent?: { datasets?: Dataset[] }; _meta?: unknown }

const TIMEOUT_MS = 10_000
/** A bucket that is empty has room for a call within a second. */
const TRIES = 30
const RETRY_MS = 1000

/** The calls leave out what a key cannot read. Where /mcp does not list the datasets, the calls decide. */
export async function checkReadableByKey(url: string, key: string, layers: readonly string[]): Promise<void> {
  if (layers.length === 0) return
  const readable = await datasetsOf(url, key)
  if (!readable) return
  const ids = readable.map(({ layerId }) => layerId)
  const unknown = layers.find((layer) => !ids.includes(layer))
  if (unknown !== undefined) {
    const known = ids.length === 0 ? 'It reads no dataset.' : `It reads ${ids.join(', ')}.`
    throw new Error(`--data: the key reads no dataset "${unknown}".${didYouMean(unknown, ids)} ${known}`)
  }
  const other = readable.find(({ layerId, kind }) => layers.includes(layerId) && kind !== 'frames')
  if (other)
    throw new Error(
      `--data: ${other.layerId} records ${other.kind}. Baselines are accepted, which record values on frames.`,
    )
}

/** Undefined where the service does not say. */
async function datasetsOf(url: string, key: string): Promise<readonly Dataset[] | undefined> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const result = await callDatasets(url, key)
    if (!result?.isError) return result?.structuredContent?.datasets
    const { error } = Object(result._meta) as { error?: { code?: string } }
    if (error?.code !== 'rate_limited') return undefined
    await sleep(RETRY_MS)
  }
  return undefined
}

async function callDatasets(url: string, key: string): Promise<ToolResult | undefined> {
  try {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'datasets', arguments: {} },
      }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { result } = (await response.json()) as { result?: ToolResult }
    return result
  } catch {
    return undefined
  }
}
