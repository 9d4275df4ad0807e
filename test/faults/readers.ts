import { setTimeout as delay } from 'node:timers/promises'
import type { SimulatedPhone } from '../../simulator/phone.ts'
import type { Cluster, Node } from './cluster.ts'
import type { Console } from './console.ts'
import type { History } from './history.ts'
import type { Samples } from './samples.ts'
import type { UsedRoom } from './used-room.ts'

const EVERY_MS = 100
/** A console's polls time out later; here early, as more follow. */
const GIVE_UP_MS = 2_000

export interface ShownRoom {
  version: string | null
  mutes: Map<string, boolean>
}

/** Returns the room as a server shows it, or null if it does not respond, is out of step, or lacks a phone. */
export async function pollOnline({ port }: { port: number }, { token, userIds }: UsedRoom): Promise<ShownRoom | null> {
  const answer = await get(port, '/host/online-users', token)
  const body = answer?.ok && (await answer.json().catch(() => null))
  if (!answer || !body || body.out_of_step || body.data.users.length < userIds.length) return null
  return { version: answer.headers.get('etag'), mutes: mutesOf(body.data.users) }
}

/** Reads the list of users from each server; it must include all acknowledged writes. */
export function keepReading(nodes: readonly Node[], { token }: UsedRoom, histories: Map<string, History>) {
  return repeat(nodes, async ({ port }) => {
    const began = performance.now()
    const answer = await get(port, '/host/users', token)
    const body = answer?.ok && (await answer.json().catch(() => null))
    const ended = performance.now()
    if (body) for (const [id, isMuted] of mutesOf(body.data.users)) histories.get(id)?.read(isMuted, began, ended)
  })
}

/** Samples what each server, console and phone shows, continuously. */
export function keepSampling({ nodes }: Cluster, room: UsedRoom, consoles: readonly Console[], samples: Samples) {
  const polling = repeat(nodes, async (node) => {
    const began = performance.now()
    const shown = await pollOnline(node, room)
    if (shown) samples.add('server', shown.mutes, began, performance.now())
    else samples.addAbsence(began)
  })
  const looking = setInterval(() => {
    const at = performance.now()
    for (const { mutes } of consoles) if (mutes) samples.add('console', new Map(mutes), at)
    for (const one of mutesOfPhones(room.phones)) samples.add('phone', new Map([one]), at)
  }, EVERY_MS)
  return {
    async end() {
      clearInterval(looking)
      await polling.end()
    },
  }
}

export const mutesOfPhones = (phones: readonly SimulatedPhone[]) =>
  new Map(phones.map(({ state }) => [state.id, state.is_muted]))

function repeat(nodes: readonly Node[], work: (node: Node) => Promise<void>) {
  let isOver = false
  const repeating = nodes.map(async (node) => {
    while (!isOver) {
      if (node.isRunning) await work(node)
      await delay(EVERY_MS)
    }
  })
  return {
    async end() {
      isOver = true
      await Promise.all(repeating)
    },
  }
}

function get(port: number, path: string, token: string): Promise<Response | null> {
  const headers = { authorization: `Bearer ${token}` }
  const signal = AbortSignal.timeout(GIVE_UP_MS)
  return fetch(`http://127.0.0.1:${port}/api${path}`, { headers, signal }).catch(() => null)
}

const mutesOf = (users: { id: string; is_muted: boolean }[]) => new Map(users.map(({ id, is_muted }) => [id, is_muted]))
