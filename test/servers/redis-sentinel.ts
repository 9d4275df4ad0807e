import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import { freePort } from './free-port.ts'
import { type RedisProcess, startRedisProcess, startSentinelProcess } from './redis.ts'

export interface TestRedisSentinel {
  url: string
  master(): Promise<RedisProcess>
  /** Performs a manual failover to the replica. */
  promote(): Promise<void>
  stop(): Promise<void>
}

const NAME = 'main'
const PASSWORDS = { redis: 'p@ss:word', sentinel: 'another one' }

/** A real Redis with a replica and three Sentinels on free loopback ports, which require passwords. */
export async function startRedisSentinel(): Promise<TestRedisSentinel> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sentinel-'))
  const settings = [
    ...['--repl-diskless-sync-delay', '0', '--dir', folder],
    ...['--requirepass', PASSWORDS.redis, '--masterauth', PASSWORDS.redis],
  ]
  const first = await startRedisProcess(await freePort(), settings)
  const replica = await startRedisProcess(await freePort(), [
    ...settings,
    ...['--replicaof', `127.0.0.1 ${first.port}`],
  ])
  const clients = [new Redis(replica.port, { password: PASSWORDS.redis })]
  const [ofReplica] = clients
  await eventually(async () => expect(await ofReplica?.info('replication')).toContain('link_status:up'))
  const sentinels = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const port = await freePort()
      const file = join(folder, `${port}.conf`)
      await writeFile(
        file,
        `requirepass "${PASSWORDS.sentinel}"
sentinel monitor ${NAME} 127.0.0.1 ${first.port} 2
sentinel auth-pass ${NAME} ${PASSWORDS.redis}
sentinel down-after-milliseconds ${NAME} 1000
sentinel failover-timeout ${NAME} 1000
`,
      )
      return startSentinelProcess(port, file)
    }),
  )
  for (const { port } of sentinels) {
    const client = new Redis(port, { password: PASSWORDS.sentinel })
    clients.push(client)
    await hurry(client, { 'publish-period': 100, 'info-period': 200, 'ask-period': 100 })
  }
  for (const client of clients.slice(1)) {
    await eventually(async () => {
      const known = String(await client.call('SENTINEL', 'MASTER', NAME))
      expect(known).toContain('num-slaves,1,num-other-sentinels,2')
    })
  }
  // After four periods without an announcement, Sentinels would demote the replica that one of them has promoted.
  for (const client of clients.slice(1)) await hurry(client, { 'publish-period': 1_000 })
  const processes = [first, replica, ...sentinels]
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const [password, ofSentinels] = [encodeURIComponent(PASSWORDS.redis), encodeURIComponent(PASSWORDS.sentinel)]
  return {
    url: `redis+sentinel://:${password}@${hosts}/${NAME}?sentinel_password=${ofSentinels}`,
    async master() {
      const address = await clients[1]?.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME)
      return String(address).endsWith(`,${replica.port}`) ? replica : first
    },
    promote: () => eventually(async () => void (await clients[1]?.call('SENTINEL', 'FAILOVER', NAME))),
    async stop() {
      for (const client of clients) client.disconnect()
      await Promise.all(processes.map((one) => one.kill()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Speeds up a Sentinel; Redis 6 lacks the command and keeps its own pace. */
async function hurry(sentinel: Redis, periods: Record<string, number>): Promise<void> {
  await sentinel.call('SENTINEL', 'DEBUG', ...Object.entries(periods).flat()).catch(() => {})
}
