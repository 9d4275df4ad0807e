import { z } from 'zod'
import { readClips } from '../../simulator/clip-player.ts'
import { callEmulator } from '../../simulator/zoom-meeting.ts'
import type { ServerProcess } from '../../test/servers/server-process.ts'

const TIMEOUT_MS = 10_000
const State = z.object({ meetings: z.array(z.object({ id: z.number(), password: z.string() })) })
const Joined = z.object({ token: z.string() })
const Spoken = z.object({ frames: z.int().positive() })

/** Somebody in the meeting by telephone, who has no page and no sound of its own but what `speak` sends. */
export class TelephoneGuest {
  readonly #origin: string
  readonly #token: string

  private constructor(origin: string, token: string) {
    this.#origin = origin
    this.#token = token
  }

  /** Returns the function that dials into this meeting. */
  static async dialler({ emulator_origin }: ServerProcess, meetingNumber: string) {
    const origin = emulator_origin ?? ''
    const { meetings } = State.parse(await (await fetch(`${origin}/_emulator/state`)).json())
    const passcode = meetings.find(({ id }) => String(id) === meetingNumber)?.password ?? ''
    return async (user_name: string): Promise<TelephoneGuest> => {
      const who = { meeting_number: meetingNumber, passcode, user_name, telephone: true }
      const { token } = await post(Joined, `${origin}/zoom/join`, who)
      return new TelephoneGuest(origin, token)
    }
  }

  /** Opens the microphone and speaks; resolves when Zoom passes nothing on any more, which is within a packet of a mute. */
  async speak(): Promise<number> {
    const url = `${this.#origin}/sdk/participants/${this.#token}/speech`
    const clip = readClips().toSorted((a, b) => b.length - a.length)[0]
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'audio/ogg' }, body: clip })
    Spoken.parse(await answer.json())
    return performance.now()
  }

  async raiseHand(raiseHand: boolean): Promise<void> {
    await post(z.object({}), `${this.#origin}/sdk/participants/${this.#token}/state`, { raiseHand })
  }

  async leave(): Promise<void> {
    await post(z.object({}), `${this.#origin}/sdk/leave`, { token: this.#token })
  }
}

const post = <T extends z.ZodType>(schema: T, url: string, body: object) =>
  callEmulator(schema, url, { body: JSON.stringify(body), signal: AbortSignal.timeout(TIMEOUT_MS) })
