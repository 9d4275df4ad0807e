import type { SimulatedPhone } from '../phone.ts'
import type { Random } from '../random.ts'
import { nextSpeaker, nextToRaiseHand } from '../turns.ts'
import { ignoreFailure, type Scenario, type SimulatedRoom } from './scenario.ts'

const CONVERSATIONS_AT_ONCE = 2
const HANDS_MAX = 2

export const talk: Scenario = {
  about: 'speakers take turns, and one or two people ask to speak',
  signsInAgain: true,
  begin: beginTalk,
}

export function beginTalk(room: SimulatedRoom) {
  for (let number = 1; number <= CONVERSATIONS_AT_ONCE; number++)
    void keepTalking(room, room.random.fork(`floor ${number}`))
  void keepAsking(room, room.random.fork('hands'))
}

async function keepTalking(room: SimulatedRoom, random: Random) {
  let last: SimulatedPhone | null = null
  while (await room.schedule.wait(random.between(400, 2500))) {
    const speaker: SimulatedPhone | null = nextSpeaker(room.phones, last, random)
    if (!speaker) continue
    last = speaker
    await takeTurn(room, speaker, random)
  }
}

/** Turns the microphone on, speaks one to three sentences, and turns it off later. */
async function takeTurn({ schedule }: SimulatedRoom, phone: SimulatedPhone, random: Random) {
  const state = await ignoreFailure(phone.report({ speaker_on: true }))
  if (!state?.speaker_on) return
  const sentences = Math.ceil(random.between(0, 3))
  for (let spoken = 0; spoken < sentences && (await schedule.wait(random.between(300, 1200))); spoken++) {
    if (!(await ignoreFailure(phone.speak()))) return
    await schedule.wait(random.between(2000, 6000))
    if (!phone.state.is_speaking) return
    await ignoreFailure(phone.report({ is_speaking: false }))
  }
  schedule.after(random.between(1000, 4000), () => void ignoreFailure(phone.stopSpeaking()))
}

async function keepAsking(room: SimulatedRoom, random: Random) {
  while (await room.schedule.wait(random.between(1500, 5000))) {
    const phone = nextToRaiseHand(room.phones, HANDS_MAX, random)
    if (!phone) continue
    await ignoreFailure(phone.raiseHand())
    const patience = random.between(30_000, 90_000)
    room.schedule.after(patience, () => phone.state.wants_to_speak && void ignoreFailure(phone.lowerHand()))
  }
}
