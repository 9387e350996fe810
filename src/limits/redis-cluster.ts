/**
 * Keeps a link to each primary of a Redis cluster, and sends each command to the one that holds its key. A primary that
 * is away costs its own keys only. Slots may move under way: the server that had a slot answers MOVED or ASK.
 *
 * createCluster of node-redis is not used: it connects to all primaries or to none, so one that is away keeps it from
 * starting, and commands to a server that hangs wait for its connection, each anew.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { askServer, linkToServer, type LinkOptions, type RedisLink, type Reply, type ServerLink } from './redis-link.js'
import { hostAndPort, redirectionIn, serversBySlot, slotOf, type ServerBySlot } from './redis-slots.js'
import type { RedisSetting } from './redis-url.js'

type Cluster = Extract<RedisSetting, { kind: 'cluster' }>

/** The link asks this often which server holds which slots. An answer MOVED tells it of one slot sooner. */
const ASK_AGAIN_MS = 1000
const RETRY_MS = 250

/** A server without slots keeps its link this long after its last command: slots may be moving to it. */
const UNUSED_MS = 10_000

/** A command with several keys waits while one of them has moved and another has not: that takes milliseconds. */
const PAUSES_MS = [5, 10, 20, 40, 80, 160]
/** A slot that moves answers ASK before each pause. */
const TRIES_MAX = 2 * PAUSES_MS.length + 2

type Member = { link: ServerLink; usedAt: number }

type ClusterContext = {
  cluster: Cluster
  options: LinkOptions
  members: Map<string, Member>
  slots: ServerBySlot
  /** The last state that was reported. */
  isUp: boolean
}

export function linkToCluster(cluster: Cluster, options: LinkOptions): RedisLink {
  const context: ClusterContext = { cluster, options, members: new Map(), slots: [], isUp: false }
  const closing = new AbortController()

  async function watchSlots(): Promise<void> {
    let isReported = false
    while (!closing.signal.aborted) {
      try {
        takeSlots(context, await askForSlots(context))
        isReported = false
      } catch (reason) {
        if (!isReported && !closing.signal.aborted) reportLost(context, messageOf(reason))
        isReported = true
      }
      await sleep(isReported ? RETRY_MS : ASK_AGAIN_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  const ended = watchSlots()

  return {
    send: (...command) => sendByKey(context, command),
    isCluster: true,
    close: async () => {
      closing.abort()
      await ended
      await Promise.all([...context.members.values()].map(({ link }) => link.close()))
    },
  }
}

const messageOf = (reason: unknown) => (reason instanceof Error ? reason.message : String(reason))

/** Scripts name their first key fourth, all other commands second. */
const keyOf = ([name, ...rest]: readonly string[]) => (name?.startsWith('EVAL') ? rest[2] : rest[0]) ?? ''

async function sendByKey(context: ClusterContext, command: string[]): Promise<Reply> {
  const slot = slotOf(keyOf(command))
  let address = context.slots[slot]
  let how: 'send' | 'sendAsking' = 'send'
  const pauses = [...PAUSES_MS]
  for (let tries = 1; address !== undefined; tries += 1) {
    const member = memberAt(context, address)
    member.usedAt = performance.now()
    await member.link.wasTried
    try {
      return await member.link[how](...command)
    } catch (error) {
      const to = redirectionIn(error, hostAndPort(address).host)
      if (!to || tries === TRIES_MAX) throw error
      if (to.kind === 'MOVED') context.slots[slot] = to.address
      if (to.kind === 'TRYAGAIN') {
        const pause = pauses.shift()
        if (pause === undefined) throw error
        await sleep(pause)
      }
      how = to.kind === 'ASK' ? 'sendAsking' : 'send'
      address = to.kind === 'ASK' ? to.address : context.slots[slot]
    }
  }
  throw new Error('No server of the cluster is known to hold this key.')
}

function memberAt(context: ClusterContext, address: string): Member {
  const known = context.members.get(address)
  if (known) return known
  const { host, port } = hostAndPort(address)
  const link = linkToServer(async () => context.cluster.urlOf(host, port), {
    probe: (send) => probeMember(context, address, send),
    onLost: (reason) => {
      if (context.slots.includes(address)) reportLost(context, `${address}: ${reason}`)
    },
    onReady: () => reportReady(context),
  })
  const member: Member = { link, usedAt: performance.now() }
  context.members.set(address, member)
  return member
}

/** A server runs the script of the buckets on keys that it holds. One without slots holds none. */
async function probeMember({ slots, options }: ClusterContext, address: string, send: RedisLink['send']) {
  if (!slots.includes(address)) return await send('PING')
  let number = 0
  while (slots[slotOf(`{probe${number}}`)] !== address) number += 1
  return await options.probe(send, `probe${number}`)
}

/** The first that answers: a server of the cluster to which there is a link, else one that the setting names. */
async function askForSlots({ members, cluster }: ClusterContext): Promise<ServerBySlot> {
  for (const [address, { link }] of members) {
    if (!link.isReady()) continue
    const reply = await link.send('CLUSTER', 'SLOTS').catch(() => undefined)
    if (reply !== undefined) return serversBySlot(reply, hostAndPort(address).host)
  }
  const fromSeeds = cluster.seeds.map(async (url) => {
    return serversBySlot(await askServer(url, 'CLUSTER', 'SLOTS'), new URL(url).hostname)
  })
  return await Promise.any(fromSeeds).catch((failures: AggregateError) => {
    throw failures.errors[0]
  })
}

function takeSlots(context: ClusterContext, slots: ServerBySlot): void {
  const owners = ownersIn(slots)
  if (owners.size === 0) throw new Error('no server of the cluster holds a slot')
  context.slots = slots
  for (const address of owners) memberAt(context, address)
  for (const [address, { link, usedAt }] of context.members) {
    if (owners.has(address) || performance.now() - usedAt < UNUSED_MS) continue
    context.members.delete(address)
    void link.close()
  }
  reportReady(context)
}

const ownersIn = (slots: ServerBySlot) => new Set(slots.filter((address) => address !== undefined))

function reportLost(context: ClusterContext, reason: string): void {
  context.isUp = false
  context.options.onLost(reason)
}

/** The cluster is ready while every server that holds slots is. */
function reportReady(context: ClusterContext): void {
  const owners = [...ownersIn(context.slots)]
  const areReady = owners.length > 0 && owners.every((address) => context.members.get(address)?.link.isReady())
  if (context.isUp || !areReady) return
  context.isUp = true
  context.options.onReady()
}
