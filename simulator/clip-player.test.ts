import { EventEmitter } from 'eventemitter3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PhoneState } from '../shared/phone/obey.ts'
import type { PhoneEvents } from '../shared/phone/phone.ts'
import { startMeeting } from '../test/zoom/connected-app.ts'
import { ClipPlayer } from './clip-player.ts'
import { seededRandom } from './random.ts'

let meeting: Awaited<ReturnType<typeof startMeeting>>
beforeAll(async () => {
  meeting = await startMeeting()
})
afterAll(() => meeting.zoom.close())

/** The part of a phone that a player depends on. */
class SpeakingPhone extends EventEmitter<PhoneEvents> {
  state: PhoneState = {
    id: 'U1',
    is_host: false,
    is_muted: false,
    speaker_on: false,
    wants_to_speak: false,
    is_speaking: false,
    asked_to_speak: false,
    host_mute_all_active: false,
    ended: null,
  }

  setSpeaking(is_speaking: boolean) {
    this.state = { ...this.state, is_speaking, is_muted: !is_speaking }
    this.emit('state', this.state)
  }
}

async function enter(name: string) {
  const { origin } = meeting.zoom
  const answer = await fetch(`${origin}/sdk/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await meeting.ticket(name)),
  })
  const { token } = await answer.json()
  const phone = new SpeakingPhone()
  const url = `${origin}/sdk/participants/${token}/speech`
  return { phone, player: new ClipPlayer(phone, url, seededRandom(name)) }
}

async function soundOf(name: string): Promise<{ muted: boolean; frames: number }> {
  const { participants } = (await meeting.zoom.control('/sound')).body
  return participants.find(({ userName }: { userName: string }) => userName === name)
}
const framesOf = async (name: string) => (await soundOf(name)).frames

test('a simulated phone is heard while it speaks, and not from the moment on which it is muted', async () => {
  const ana = await enter('Ana')
  const ben = await enter('Ben')
  ana.phone.setSpeaking(true)
  await expect.poll(() => framesOf('Ana')).toBeGreaterThan(10)
  expect((await soundOf('Ana')).muted).toBe(false)

  ana.phone.setSpeaking(false)
  await expect.poll(() => soundOf('Ana')).toMatchObject({ muted: true })
  const frames = await framesOf('Ana')
  ben.phone.setSpeaking(true)
  await expect.poll(() => framesOf('Ben')).toBeGreaterThan(20)
  expect(await framesOf('Ana')).toBe(frames)

  ana.phone.setSpeaking(true)
  await expect.poll(() => framesOf('Ana')).toBeGreaterThan(frames)
  for (const { player } of [ana, ben]) player.close()
})
