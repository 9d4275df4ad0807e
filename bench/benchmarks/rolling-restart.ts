import { setTimeout as delay } from 'node:timers/promises'
import { NodeProxy } from '../../demo/proxy.ts'
import { createSchedule } from '../../shared/phone/schedule.ts'
import { startCluster } from '../../test/faults/cluster.ts'
import { HostedRoom } from '../../test/processes/hosted-room.ts'
import { freePort } from '../../test/servers/free-port.ts'
import { type Benchmark, formatMs, goalUnder } from '../benchmark.ts'
import { measureMs } from '../statistics.ts'

const USERS = Array.from({ length: 20 }, (_, n) => `user ${n}`)
const ROUNDS = 3
const EXIT_MS = 10_000
/** Milliseconds until the proxy notices that a node is back. */
const NOTICE_MS = 2_000

/** Restarts one node after the other while consoles and phones use both through a proxy. */
export const rollingRestart: Benchmark = {
  name: 'rolling-restart',
  async run() {
    const cluster = await startCluster(2, { canFillDisks: false })
    const schedule = createSchedule()
    const entry = { port: await freePort() }
    const proxy = new NodeProxy(cluster.nodes.map(({ port }) => port))
    await proxy.listen(entry.port, '127.0.0.1')
    try {
      const room = await HostedRoom.make('ana', USERS, entry, schedule)
      for (const user of USERS) await room.joinByPhone(user, entry)
      const endLoad = room.keepUsing(entry)
      const exits: number[] = []
      for (let round = 0; round < ROUNDS; round++)
        for (const node of cluster.nodes) {
          exits.push(await measureMs(() => node.end('SIGTERM')))
          await node.start()
          await delay(NOTICE_MS)
        }
      const statuses = await endLoad()
      room.close()
      const failed = statuses.filter((status) => status !== 200).length
      const note = `of ${statuses.length.toLocaleString('en')} requests while two nodes restarted ${ROUNDS} times each`
      return [
        goalUnder('requests that failed in rolling restarts', failed, 1, String, { note }),
        goalUnder('the longest that a node took to stop', Math.max(...exits), EXIT_MS, formatMs),
      ]
    } finally {
      schedule.close()
      proxy.close()
      await cluster.close()
    }
  },
}
