import { PRESENCE_LEASE_MS } from '../../shared/room-events.ts'
import { ignoreFailure, type Scenario, type SimulatedRoom } from './scenario.ts'
import { beginTalk } from './talk.ts'

/** The average time that a phone keeps its network. */
const MEAN_MS = 60_000
const TICK_MS = 500

export const phonesDrop: Scenario = {
  about: 'the talk, while phones lose their network and come back, some too late to have stayed online',
  signsInAgain: true,
  begin(room) {
    beginTalk(room)
    void dropPhones(room)
  },
}

async function dropPhones({ phones, random, schedule }: SimulatedRoom) {
  const networkRandom = random.fork('networks')
  while (await schedule.wait(TICK_MS)) {
    for (const phone of phones) {
      if (networkRandom.next() >= TICK_MS / MEAN_MS || !phone.isConnected) continue
      phone.drop()
      schedule.after(networkRandom.between(1000, 1.5 * PRESENCE_LEASE_MS), () => void ignoreFailure(phone.reconnect()))
    }
  }
}
