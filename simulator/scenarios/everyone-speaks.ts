import { ignoreFailure, type Scenario, type SimulatedRoom } from './scenario.ts'

/** The average length of a person's speech and silence. */
const MEAN_MS = 4000
const TICK_MS = 200

export const everyoneSpeaks: Scenario = {
  about: 'everyone talks at once, on and off every few seconds, whenever not muted',
  signsInAgain: false,
  begin: (room) => void toggleSpeakers(room),
}

async function toggleSpeakers({ phones, random, schedule }: SimulatedRoom) {
  const crowdRandom = random.fork('everyone')
  while (await schedule.wait(TICK_MS)) {
    for (const phone of phones) {
      if (crowdRandom.next() >= TICK_MS / MEAN_MS || !phone.isConnected) continue
      void ignoreFailure<unknown>(phone.state.is_speaking ? phone.stopSpeaking() : phone.speak())
    }
  }
}
