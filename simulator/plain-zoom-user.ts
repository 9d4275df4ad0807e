import { z } from 'zod'
import { followEvents } from '../shared/phone/event-stream.ts'
import type { Schedule } from '../shared/phone/schedule.ts'
import type { Random } from './random.ts'
import { callEmulator } from './zoom-meeting.ts'

/** The number and passcode that a person types into Zoom's own app. */
export type MeetingInvitation = { meeting_number: string; passcode: string }

type PlainZoomUserOptions = {
  name: string
  isOnTelephone: boolean
  invitation: MeetingInvitation
  /** The Zoom emulator's address. */
  zoom: string
  schedule: Schedule
  random: Random
}

const Joined = z.object({ token: z.string(), participant: z.object({ participant_uuid: z.string() }) })
const Own = z.object({ muted: z.boolean(), isHold: z.boolean(), raiseHand: z.boolean() })
/** The emulator sends more kinds, which concern others. */
const OwnEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('state'), attendees: z.array(Own.extend({ participantUUID: z.string() })) }),
  z.object({ type: z.literal('imposed'), change: Own.partial() }),
  z.object({ type: z.literal('asked') }),
  z.object({ type: z.literal('ended'), reasonCode: z.int() }),
])

const REMOVED = [6, 7] // from the meeting, from the waiting room
/** The delay before a person tries the meeting again, which has not started yet or is over. */
const TRY_AGAIN_MS = [9_000, 12_000] as const
/** The time that a person takes to answer "The host would like you to unmute". */
const ANSWER_MS = [1_500, 4_000] as const
const TIMEOUT_MS = 3_000

/** A person in Zoom's own app or on the telephone, without Parley, whom the host of the meeting can order about. */
export class PlainZoomUser {
  readonly name: string
  hasRaisedHand = false
  /** Muted by the host, until asked to unmute. */
  isSilenced = false
  /** Unmuted because the host asked for it. */
  isAsked = false
  readonly #options: PlainZoomUserOptions
  #token: string | null = null
  #isHeld = false
  #isRemoved = false
  #speaking: AbortController | null = null
  #cancelAnswer = () => {}

  constructor(options: PlainZoomUserOptions) {
    this.#options = options
    this.name = options.name
  }

  get isPresent(): boolean {
    return this.#token !== null && !this.#isHeld
  }

  get maySpeak(): boolean {
    return this.isPresent && !this.isSilenced && this.#speaking === null
  }

  /** Joins the meeting, and the next one once it is over, until the host removes this person or the signal aborts. */
  async attend(signal: AbortSignal): Promise<void> {
    const { schedule, random } = this.#options
    do {
      await this.#attendOnce(signal).catch(() => {}) // the meeting has not started, or Zoom cannot be reached
    } while (!this.#isRemoved && (await schedule.wait(random.between(...TRY_AGAIN_MS), signal)))
  }

  /** Opens the microphone and speaks a clip. Resolves once it is over, or the host has muted this person. */
  async speak(clip: Uint8Array<ArrayBuffer>): Promise<void> {
    if (!this.maySpeak) return
    const speaking = new AbortController()
    this.#speaking = speaking
    const sent = { method: 'POST', headers: { 'content-type': 'audio/ogg' }, body: clip, signal: speaking.signal }
    await fetch(`${this.#url}/speech`, sent)
      .then((response) => response.arrayBuffer())
      .catch(() => {}) // muted, held or removed in the middle of a word
    if (this.#speaking === speaking) this.#speaking = null
  }

  /** Opens or closes the microphone without a word. */
  async setMuted(muted: boolean): Promise<void> {
    if (muted ? this.isPresent : this.maySpeak) await this.#change({ muted })
  }

  async raiseHand(raiseHand: boolean): Promise<void> {
    if (!this.isPresent || this.hasRaisedHand === raiseHand) return
    this.hasRaisedHand = raiseHand
    await this.#change({ raiseHand })
  }

  get #url() {
    return `${this.#options.zoom}/sdk/participants/${this.#token}`
  }

  async #attendOnce(signal: AbortSignal): Promise<void> {
    const { name: user_name, invitation, isOnTelephone, zoom, schedule, random } = this.#options
    const body = JSON.stringify({ ...invitation, user_name, telephone: isOnTelephone, page: true })
    const { token, participant } = await callEmulator(Joined, `${zoom}/zoom/join`, { body, signal })
    this.#token = token
    try {
      if (!isOnTelephone) await this.#change({ audio: 'computer' })
      await followEvents({
        ...{ url: `${this.#url}/events`, signal, schedule, random },
        onEvent: ({ data }) => this.#apply(JSON.parse(data), participant.participant_uuid),
      })
    } finally {
      this.#forgetMeeting()
    }
    const leaving = { body: JSON.stringify({ token }), signal: AbortSignal.timeout(TIMEOUT_MS) }
    await callEmulator(z.object({}), `${zoom}/sdk/leave`, leaving)
  }

  #apply(data: unknown, uuid: string) {
    const { data: event } = OwnEvent.safeParse(data)
    if (event?.type === 'state') {
      const own = event.attendees.find(({ participantUUID }) => participantUUID === uuid)
      if (own) this.#impose({ isHold: own.isHold, raiseHand: own.raiseHand })
    }
    if (event?.type === 'imposed') this.#impose(event.change)
    if (event?.type === 'asked') this.#answerLater()
    if (event?.type === 'ended') this.#isRemoved = REMOVED.includes(event.reasonCode)
  }

  #impose({ muted, isHold, raiseHand }: Partial<z.infer<typeof Own>>) {
    if (isHold !== undefined) this.#isHeld = isHold
    if (raiseHand !== undefined) this.hasRaisedHand = raiseHand
    if (muted) {
      this.isSilenced = true
      this.isAsked = false
    }
    if (!muted && !isHold) return
    this.#cancelAnswer()
    this.#speaking?.abort()
  }

  #answerLater() {
    const { schedule, random } = this.#options
    this.#cancelAnswer()
    this.#cancelAnswer = schedule.after(random.between(...ANSWER_MS), () => {
      this.isSilenced = false
      this.isAsked = true
      void this.setMuted(false).catch(() => {})
    })
  }

  #forgetMeeting() {
    this.#token = null
    this.#isHeld = false
    this.isSilenced = false
    this.isAsked = false
    this.hasRaisedHand = false
    this.#cancelAnswer()
    this.#speaking?.abort()
  }

  async #change(state: { muted?: boolean; audio?: 'computer'; raiseHand?: boolean }): Promise<void> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    await callEmulator(z.object({}), `${this.#url}/state`, { body: JSON.stringify(state), signal })
  }
}
