import { connect as connectTcp, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { AbstractConnector, type RedisOptions } from 'ioredis'
import type { MasterLocator } from './master-locator.ts'
import type { Address } from './redis-url.ts'

const LONGEST_RETRY_MS = 1_000

/** Replies of a server that is not, or no longer, the slot's master. It has not executed the command. */
const ELSEWHERE = /^(MOVED|CLUSTERDOWN|MASTERDOWN|UNBLOCKED)\b|\bREADONLY\b/

/** Options for a connection to a slot's master, which is looked up at each connect. */
export function masterConnectionOptions(masters: MasterLocator, slot: number): RedisOptions {
  const { login, isTls } = masters.guides
  return {
    ...login,
    ...(isTls && { tls: {} }),
    Connector: connectorTo(masters, slot, isTls),
    reconnectOnError: ({ message }) => ELSEWHERE.test(message),
  }
}

/** Disconnects from a master when another one has replaced it. */
function connectorTo(masters: MasterLocator, slot: number, isTls: boolean) {
  return class MasterConnector extends AbstractConnector {
    #stopWatching = () => {}

    constructor() {
      super(0)
    }

    override check({ role = 'master' }: { role?: string }): boolean {
      return role === 'master'
    }

    override async connect(): Promise<Socket> {
      this.connecting = true
      this.#stopWatching() // of the previous stream
      for (let attempt = 1; ; attempt++) {
        const master = await masters.find(slot).catch(() => null)
        if (!this.connecting) throw new Error('Connection is closed.')
        if (master) return this.#open(master)
        await delay(Math.min(100 * attempt, LONGEST_RETRY_MS), undefined, { ref: false })
      }
    }

    /** Does not wait for a server that may be unreachable. */
    override disconnect(): void {
      this.connecting = false
      this.#stopWatching()
      this.stream?.destroy()
    }

    #open(master: Address): Socket {
      const stream = isTls ? connectTls(master) : connectTcp(master)
      stream.once('error', (error) => {
        this.firstError = error
      })
      this.stream = stream
      this.#stopWatching = masters.onRefresh(() => {
        const now = masters.known(slot)
        if (now && (now.host !== master.host || now.port !== master.port)) this.disconnect()
      })
      return stream
    }
  }
}
