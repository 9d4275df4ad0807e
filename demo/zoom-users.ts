import { createSchedule, type Schedule } from '../shared/phone/schedule.ts'
import { readClips } from '../simulator/clip-player.ts'
import { type MeetingInvitation, PlainZoomUser } from '../simulator/plain-zoom-user.ts'
import { type Random, seededRandom } from '../simulator/random.ts'

/** The first has the name of a user who has no simulated phone, so that the console asks who it is. */
const NAMES = ['Tariq Mahmood', 'Ifeoma’s iPad', 'Olga K.', 'Lars and Signe']
/** Zoom hides the middle of a number. */
const TELEPHONES = ['+44******0134', '+1******0177']
export const ZOOM_USERS = NAMES.length + TELEPHONES.length

const PAUSE_MS = [1_500, 6_000] as const
const OPEN_MS = [20_000, 60_000] as const
const HAND_EVERY_MS = [15_000, 40_000] as const
const PATIENCE_MS = [20_000, 40_000] as const
/** The share of turns after which the microphone stays open for a while. */
const STAYS_OPEN = 0.8
/** The share of turns that are taken all the same while the host has muted many. */
const RESTLESS = 0.05
const SEED = 'zoom'

type Options = { zoom: string; invitation: MeetingInvitation; schedule?: Schedule }

/** People in the running meeting who have no Parley: they speak in turns, and do what the host orders in Zoom. */
export class ZoomUsers {
  readonly users: readonly PlainZoomUser[]
  readonly #schedule: Schedule
  readonly #random = seededRandom(SEED)
  readonly #leaving = new AbortController()
  readonly #attending: Promise<unknown>

  constructor({ zoom, invitation, schedule = createSchedule() }: Options) {
    this.#schedule = schedule
    this.users = [...NAMES, ...TELEPHONES].map(
      (name) =>
        new PlainZoomUser({
          ...{ name, zoom, invitation, schedule, random: this.#random.fork(name) },
          isOnTelephone: TELEPHONES.includes(name),
        }),
    )
    this.#attending = Promise.all(this.users.map((user) => user.attend(this.#leaving.signal)))
    void this.#keepTalking(this.#random.fork('talk'))
    void this.#keepAsking(this.#random.fork('hands'))
  }

  async leave(): Promise<void> {
    this.#leaving.abort()
    await this.#attending
    this.#schedule.close()
  }

  async #keepTalking(random: Random) {
    const { signal } = this.#leaving
    let last: PlainZoomUser | undefined
    while (await this.#schedule.wait(random.between(...PAUSE_MS), signal)) {
      const isCalm = this.#isHushed && random.next() >= RESTLESS
      const free = this.users.filter((user) => user.maySpeak && (!isCalm || user.isAsked))
      const speaker = random.pick(free.length > 1 ? free.filter((user) => user !== last) : free)
      const clip = random.pick(readClips())
      if (!speaker || !clip) continue
      last = speaker
      await ignoreFailure(speaker.raiseHand(false))
      await speaker.speak(clip)
      if (random.next() < STAYS_OPEN) this.#leaveOpen(speaker, random)
    }
  }

  get #isHushed() {
    const present = this.users.filter((user) => user.isPresent)
    return present.filter((user) => user.isSilenced).length > present.length / 3
  }

  #leaveOpen(user: PlainZoomUser, random: Random) {
    void ignoreFailure(user.setMuted(false))
    this.#schedule.after(random.between(...OPEN_MS), () => user.maySpeak && void ignoreFailure(user.setMuted(true)))
  }

  /** Keeps at most one hand up. */
  async #keepAsking(random: Random) {
    const { signal } = this.#leaving
    while (await this.#schedule.wait(random.between(...HAND_EVERY_MS), signal)) {
      const user = random.pick(this.users.filter((one) => one.isPresent))
      if (!user || this.users.some((one) => one.hasRaisedHand)) continue
      await ignoreFailure(user.raiseHand(true))
      this.#schedule.after(random.between(...PATIENCE_MS), () => void ignoreFailure(user.raiseHand(false)))
    }
  }
}

/** The meeting may have ended, or the user been removed, in the meantime. */
const ignoreFailure = (call: Promise<void>) => call.catch(() => {})
