import { type FromSeat, ToSeat } from './messages.ts'
import { MuteGuard } from './mute-guard.ts'
import type { PeopleList } from './people-list.ts'
import type { SeatDriver, Settlement } from './seat-driver.ts'

type DoMessage = Extract<ToSeat, { type: 'do' }>
type DoneMessage = Extract<FromSeat, { type: 'done' }>

/** People are reported at most so often. */
const REPORT_INTERVAL_MS = 250
/** A command that comes again is answered again, and not run again. */
const REMEMBERED_COMMANDS = 500

/** Runs what the console of one seat asks for over its port, and reports what the seat sees. */
export class SeatSession {
  readonly #driver: SeatDriver
  readonly #list: Pick<PeopleList, 'takeMessage'>
  readonly #send: (message: FromSeat) => void
  readonly #guard: MuteGuard
  readonly #commands = new Map<string, DoneMessage | null>()
  readonly #dropped = new Set<string>()
  #hasJoined = false
  #mayReportAt = Number.NEGATIVE_INFINITY
  #report: ReturnType<typeof setTimeout> | undefined

  constructor(driver: SeatDriver, list: Pick<PeopleList, 'takeMessage'>, send: (message: FromSeat) => void) {
    this.#driver = driver
    this.#list = list
    this.#send = send
    this.#guard = new MuteGuard(driver, (key) => send({ type: 'guarded', key, times: 1 }))
    driver.on('state', (state) => send({ type: 'state', ...state }))
    driver.on('speaking', (keys) => send({ type: 'speaking', keys }))
    driver.on('change', () => this.#reportPeople())
    driver.on('ended', (end) => {
      clearTimeout(this.#report)
      send({ type: 'ended', ...end })
    })
  }

  /** Drops what is no message of the console. */
  receive(data: unknown) {
    const { data: message } = ToSeat.safeParse(data)
    switch (message?.type) {
      case 'join':
        return this.#join(message)
      case 'allow':
        this.#guard.allow(message)
        return this.#driver.advance()
      case 'do':
        return void this.#runOnce(message.id, () => this.#run(message))
      case 'drop':
        if (this.#commands.get(message.id) === null) this.#dropped.add(message.id)
        return
      case 'leave':
        return void this.#runOnce(message.id, () => this.#driver.leave())
    }
  }

  #join({ ticket, silent, language }: Extract<ToSeat, { type: 'join' }>): void {
    if (this.#hasJoined) return
    this.#hasJoined = true
    void this.#driver.join({ ticket, isSilent: silent, language })
  }

  async #runOnce(id: string, run: () => Promise<Settlement>): Promise<void> {
    const known = this.#commands.get(id)
    if (known) this.#send(known)
    if (known !== undefined) return
    this.#commands.set(id, null)
    const done: DoneMessage = { type: 'done', id, ...(await run()) }
    this.#commands.set(id, done)
    this.#dropped.delete(id)
    for (const old of [...this.#commands.keys()].slice(0, -REMEMBERED_COMMANDS)) this.#commands.delete(old)
    this.#send(done)
  }

  #run({ id, what, user_id }: DoMessage): Promise<Settlement> {
    const driver = this.#driver
    const isWanted = () => !this.#dropped.has(id)
    switch (what) {
      case 'mute-all':
        return this.#guard.muteAll(isWanted)
      case 'ask-all':
        return this.#guard.askAll(isWanted)
      case 'admit-all':
        return driver.admitAll(isWanted)
      case 'lower-all-hands':
        return driver.lowerAllHands(isWanted)
      case 'reclaim-host':
        return driver.reclaimHost()
    }
    if (user_id === undefined) return Promise.resolve({ outcome: 'gone' })
    switch (what) {
      case 'mute':
        return this.#guard.mute(user_id, isWanted)
      case 'ask-unmute':
        return driver.ask(user_id, isWanted)
      case 'remove':
        return driver.remove(user_id, isWanted)
      case 'hold':
        return driver.hold(user_id, isWanted)
      case 'admit':
        return driver.admit(user_id, isWanted)
      case 'lower-hand':
        return driver.lowerHand(user_id, isWanted)
    }
  }

  /** Reports at once after a pause, as timers of hidden pages are slow, and gathers what follows. */
  #reportPeople(): void {
    const wait = this.#mayReportAt - performance.now()
    if (wait > 0) {
      this.#report ??= setTimeout(() => {
        this.#report = undefined
        this.#reportPeople()
      }, wait)
      return
    }
    clearTimeout(this.#report)
    this.#report = undefined
    const message = this.#list.takeMessage()
    if (!message) return
    this.#mayReportAt = performance.now() + REPORT_INTERVAL_MS
    this.#send(message)
  }
}
