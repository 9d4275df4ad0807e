import { setTimeout as delay } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { Random } from '../../simulator/random.ts'
import type { Cluster, Node } from './cluster.ts'
import type { Console } from './console.ts'
import { FAULTS } from './faults.ts'
import { History } from './history.ts'
import { keepReading, keepSampling, mutesOfPhones, pollOnline } from './readers.ts'
import { type Round, rowOf } from './rounds-table.ts'
import { Samples } from './samples.ts'
import type { UsedRoom } from './used-room.ts'
import { keepWriting, type WriteCounts } from './writers.ts'

/** Milliseconds of use before and after each fault. */
const USED_MS = 1_500
/** Milliseconds after a fault by which all blocked calls have ended; servers time out before consoles, after 15 s. */
const LATEST_EFFECT_MS = 20_000
const LONGEST_RECOVERY_MS = 120_000

/** Runs the faults of a cluster one at a time, while one of its rooms is in use. */
export class Rounds {
  readonly #cluster: Cluster
  readonly #room: UsedRoom
  readonly #consoles: readonly Console[]
  readonly #histories: Map<string, History>
  /** Totals over all rounds. */
  #acknowledged = 0
  #unanswered = 0

  constructor(cluster: Cluster, room: UsedRoom, consoles: readonly Console[]) {
    this.#cluster = cluster
    this.#room = room
    this.#consoles = consoles
    this.#histories = new Map(room.userIds.map((id) => [id, new History(false)]))
  }

  /** Plays the fault, and fails unless everything recovers afterwards. */
  async play(fault: string, random: Random): Promise<Round> {
    const [cluster, room, histories] = [this.#cluster, this.#room, this.#histories]
    const samples = new Samples()
    const writing = keepWriting(cluster.port, room, histories, random)
    const reading = keepReading(cluster.nodes, room, histories)
    const sampling = keepSampling(cluster, room, this.#consoles, samples)
    await delay(USED_MS)
    const node = busiest(cluster)
    if (node) await FAULTS[fault]?.run({ cluster, token: room.token }, node)
    const healedAt = performance.now()
    await delay(USED_MS)
    await writing.end()
    const disagreement = await vi
      .waitFor(() => this.#expectAgreement(), { timeout: LONGEST_RECOVERY_MS, interval: 20 })
      .then(() => null, String)
    await Promise.all([reading.end(), sampling.end()])

    for (const history of histories.values()) history.expire(healedAt + LATEST_EFFECT_MS)
    const { lateAt, ...wrong } = samples.judge(histories)
    const { lost, doubled, unexplained } = await this.#check(writing.counts)
    const { acknowledged, unanswered, unexpected } = writing.counts
    const recoveredIn = Math.max(0, lateAt - healedAt)
    const round: Round = { fault, acknowledged, unanswered, lost, doubled, ...wrong, recoveredIn }
    process.stdout.write(rowOf(round))
    const problems = { fault, lost, doubled, unexpected, unexplained, disagreement }
    expect(problems).toEqual({ fault, lost: 0, doubled: 0, unexpected: [], unexplained: [], disagreement: null })
    expect(acknowledged, fault).toBeGreaterThan(0)
    return round
  }

  /** Checks each user as a separate register: what holds for each holds for all. */
  async #check(counts: WriteCounts) {
    this.#acknowledged += counts.acknowledged
    this.#unanswered += counts.unanswered
    const { writes, mutes } = await this.#room.readStored()
    const at = performance.now()
    const unexplained: unknown[] = []
    let lost = Math.max(0, this.#acknowledged - writes)
    for (const [id, history] of this.#histories) {
      const isMuted = mutes.get(id) ?? false
      if (!history.mayEndWith(isMuted)) lost++
      history.read(isMuted, at, at)
      const operation = history.findUnexplained()
      if (operation) unexplained.push({ id, ...operation, after: history.lastWrites(operation.ended) })
      history.settle(isMuted, at)
    }
    return { lost, doubled: Math.max(0, writes - this.#acknowledged - this.#unanswered), unexplained }
  }

  /** All servers, consoles and phones match the database. */
  async #expectAgreement(): Promise<void> {
    const room = this.#room
    const [first, ...others] = await Promise.all(this.#cluster.nodes.map((node) => pollOnline(node, room)))
    if (!first) throw new Error('A server does not answer, is out of step, or lacks a phone')
    for (const other of others) expect(other).toEqual(first)
    const shown = sorted(first.mutes)
    expect(sorted(mutesOfPhones(room.phones))).toEqual(shown)
    for (const { mutes } of this.#consoles) expect(mutes && sorted(mutes)).toEqual(shown)
    expect(sorted((await room.readStored()).mutes)).toEqual(shown)
  }
}

/** Streams do not return to a server that was down, and a fault on an idle server would show nothing. */
function busiest({ nodes, balancer }: Cluster): Node | undefined {
  const [first] = nodes.toSorted((a, b) => balancer.countTo(b.port) - balancer.countTo(a.port))
  return first
}

const sorted = (mutes: ReadonlyMap<string, boolean>) => [...mutes].toSorted(([a], [b]) => (a < b ? -1 : 1))
