import { type PhoneMicrophone, RoomSummaryAnswer } from '../../../shared/mobile.ts'
import { random } from '../../../shared/phone/backoff.ts'
import { CallFailure, call } from '../../../shared/phone/call.ts'
import type { PhoneState } from '../../../shared/phone/obey.ts'
import { type Login, Phone } from '../../../shared/phone/phone.ts'
import { createSchedule } from '../../../shared/phone/schedule.ts'
import type { Hearing } from '../../../shared/phone-words.ts'
import type { Turn } from '../../../shared/turns.ts'
import { WakeLock } from '../../lib/wake-lock.ts'
import type { MeetingAudio, SoundState } from '../../meeting/meeting-audio.ts'
import { SOUND_OFF } from '../../meeting/messages.ts'
import { fieldLog, type Measured } from '../report/field-log.ts'
import { claimRoom } from './claim-room.ts'
import { offerMediaControls } from './media-session.ts'
import { reportAsleep } from './report-asleep.ts'
import { reportedAudio } from './reported-audio.ts'
import { Ringer } from './ringer.ts'
import type { RoomSession, RoomView } from './room-session.ts'
import { SoundKeeper } from './sound-keeper.ts'
import { TapReminder } from './tap-reminder.ts'

type CreateAudio = (container: HTMLElement) => MeetingAudio

const POLL_MS = 5_000
/** Milliseconds after which a lost stream means that nobody could mute this phone. */
const UNREACHABLE_MS = 5_000
/** A hanging server or network keeps the stream open, so while the microphone is on, the server must answer calls. */
const CHECK_MS = 1_500
const ANSWER_MS = 3_000
/** Bridges the pauses between words. */
const PAUSE_MS = 800

/** A phone's view of the room: Parley's commands and Zoom's sound. The commands have priority. */
export class PhoneRoom implements RoomSession {
  view: RoomView
  readonly #baseUrl: string
  readonly #phone: Phone
  readonly #keeper: SoundKeeper
  readonly #schedule = createSchedule()
  readonly #ringer = new Ringer()
  /** Words that have rung. */
  readonly #rung = new Set<string>()
  readonly #tapReminder = new TapReminder()
  readonly #wakeLock = new WakeLock()
  readonly #controls: ReturnType<typeof offerMediaControls>
  readonly #listeners = new Set<() => void>()
  readonly #closing = new AbortController()
  readonly #giveBack: () => void
  #container: HTMLElement | null = null
  #joinedAt: number | null = null // until the sound is there
  #isOpening = false // the microphone, after a tap here
  #isReachable = true // false: nobody could mute this phone
  #isChecking = false
  #serverOffset = 0 // the server's clock minus `performance.now()`
  #isVoiceDetected = false // according to the meeting
  #cancelPause = () => {}
  #cancelUnreachable = () => {}

  constructor(baseUrl: string, login: Login, createAudio: CreateAudio) {
    this.#baseUrl = baseUrl
    const schedule = this.#schedule
    this.#phone = new Phone(baseUrl, login, {
      ...{ random, schedule },
      turnMicrophoneOff: () => measure('command to silence', () => this.#keeper.mute()),
      isAwake: () => !document.hidden || this.#keeper.state.microphone === 'on', // a user who is heard is present
    })
    this.#keeper = new SoundKeeper({
      ...{ baseUrl, token: login.token, schedule, random },
      createAudio: () => createAudio(this.#container ?? document.body),
      onTicket: (ticket) => {
        fieldLog.noteTicket(ticket)
        this.#update({ join_url: ticket.join_url })
      },
      onChange: (sound) => this.#handleSound(sound),
      onLevel: (level) => this.#handleLevel(level),
      onZoomEvent: (name) => fieldLog.note(`Zoom: ${name}`),
    })
    this.#controls = offerMediaControls({
      title: login.app.user_title ?? login.room.room_name,
      isOn: () => this.view.sound.microphone === 'on',
      toggle: () => void (this.view.sound.microphone === 'on' ? this.stopSpeaking() : this.speak().catch(() => {})),
      hangUp: () => void this.leaveSound(),
    })
    const { user, room, app } = login
    this.view = {
      login: { user, room, app },
      state: this.#phone.state,
      sound: SOUND_OFF,
      is_tap_awaited: false,
      connection: 'connecting',
      unsent_hand: null,
      unsent_no: false,
      now: null,
      turn: null,
      join_url: null,
    }
    this.#giveBack = claimRoom(user.id, () => this.close('other_tab'))
    this.#follow()
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  join(container: HTMLElement) {
    this.#container = container
    this.#joinedAt = performance.now()
    this.#ringer.unlock()
    this.#tapReminder.tapped()
    this.#keeper.join()
  }

  leaveSound() {
    return this.#keeper.leave()
  }

  async speak() {
    if (this.#phone.state.is_muted || this.#phone.state.ended || !this.#isReachable) return
    this.#isOpening = true
    try {
      await measure('tap on Speak to an open microphone', () => this.#keeper.unmute())
    } catch (error) {
      if (this.#canSpeak()) throw error
      return // the screen has the reason
    } finally {
      this.#isOpening = false
    }
    if (this.view.unsent_hand ?? this.#phone.state.wants_to_speak) await this.#report({ wants_to_speak: false })
    this.#reconcile()
  }

  #canSpeak(): boolean {
    const { audio, microphone } = this.#keeper.state
    return audio === 'on' && microphone === 'off' && !this.#phone.state.is_muted
  }

  async stopSpeaking() {
    await this.#keeper.mute()
    this.#reconcile()
  }

  raiseHand() {
    return this.#reportHand(true)
  }

  lowerHand() {
    return this.#reportHand(false)
  }

  decline() {
    return this.#report({ declined: true })
  }

  confirmWord(id: string, answer?: Hearing) {
    return this.#phone.confirmWord(id, answer)
  }

  close(why: 'left' | 'other_tab' = 'left') {
    this.#closing.abort()
    this.#giveBack()
    if (why === 'left') this.#phone.leave()
    else this.#phone.close(why)
    void this.leaveSound()
    this.#schedule.close()
    this.#wakeLock.close()
    this.#controls.close()
    this.#ringer.close()
  }

  #follow() {
    const { signal } = this.#closing
    this.#phone.on('state', (state) => {
      const isAsked = state.asked_to_speak && !this.view.state.asked_to_speak
      const rings = this.#ringsAnew(state)
      const handMoved = state.wants_to_speak !== this.view.state.wants_to_speak
      this.#update({ state, turn: state.is_muted || state.ended ? null : this.view.turn })
      if (isAsked || rings) this.#ringer.ring()
      if (handMoved) void this.#fetchNow()
      this.#reconcile()
    })
    this.#phone.on('event', (event) => {
      fieldLog.noteEvent(event)
      if (event.name === 'meeting-runs') this.#keeper.handleMeetingStatus(event.data)
      if (event.name === 'test') this.#serverOffset = Date.parse(event.data.server_time) - performance.now()
      if (event.name === 'turn' && event.data.user_id === this.#phone.state.id) this.#showTurn(event.data)
    })
    this.#phone.on('unsent', ({ wants_to_speak: unsent_hand = null, declined: unsent_no = false }) =>
      this.#update({ unsent_hand, unsent_no }),
    )
    this.#phone.on('stream', (stream) => this.#handleStream(stream))
    this.#phone.on('ended', () => {
      fieldLog.note('signed out')
      void this.leaveSound()
    })
    window.addEventListener('offline', () => this.#handleOffline(), { signal })
    window.addEventListener('online', () => void this.#phone.reconnect().catch(() => {}), { signal })
    document.addEventListener('visibilitychange', () => this.#reportAwake(!document.hidden), { signal })
    window.addEventListener('pagehide', () => this.#reportAwake(false), { signal })
    this.#phone.connect()
    this.#awaitStream()
    void this.#report({ audio: 'off', awake: true }).then(() => this.#poll()) // which then counts this phone
  }

  /** Returns true if a word has come that is to ring; it rings once on this page. */
  #ringsAnew({ words }: PhoneState): boolean {
    const ringing = words?.list.filter(({ id, rings }) => rings && !this.#rung.has(id)) ?? []
    for (const { id } of ringing) this.#rung.add(id)
    return ringing.length > 0
  }

  #showTurn({ since, limit_minutes: limitMinutes }: Turn) {
    this.#update({ turn: since === null ? null : { since: Date.parse(since) - this.#serverOffset, limitMinutes } })
  }

  #handleStream(stream: 'open' | 'lost') {
    const hasChanged = stream !== this.view.connection // each failed attempt also reports a loss
    if (hasChanged) fieldLog.note(`stream ${stream}`)
    this.#update({ connection: stream })
    if (stream === 'open') this.#becomeReachable()
    else if (hasChanged) this.#awaitStream()
  }

  #handleOffline() {
    this.#phone.drop()
    this.#update({ connection: 'lost' })
    this.#becomeUnreachable()
  }

  async #checkWhileOpen() {
    if (this.#isChecking) return
    this.#isChecking = true
    do {
      if (await this.#answers()) continue
      if (this.view.sound.microphone !== 'on') break
      this.#handleOffline()
      void this.#phone.reconnect().catch(() => {})
    } while ((await this.#schedule.wait(CHECK_MS, this.#closing.signal)) && this.view.sound.microphone === 'on')
    this.#isChecking = false
  }

  /** Returns true if the server responds, even with a refusal. */
  async #answers(): Promise<boolean> {
    const late = new AbortController()
    const cancel = this.#schedule.after(ANSWER_MS, () => late.abort())
    const isAnswered = await this.#fetchNow(late.signal)
    cancel()
    return isAnswered
  }

  #awaitStream() {
    this.#cancelUnreachable()
    this.#cancelUnreachable = this.#schedule.after(UNREACHABLE_MS, () => this.#becomeUnreachable())
  }

  #becomeReachable() {
    this.#cancelUnreachable()
    this.#isReachable = true
    this.#keeper.setReachable(true)
    if (this.view.now === null) void this.#fetchNow()
  }

  #becomeUnreachable() {
    this.#cancelUnreachable()
    this.#isReachable = false
    this.#update({ now: null }) // its report is out of date
    this.#keeper.setReachable(false)
    void this.#keeper.mute()
  }

  #handleSound(sound: SoundState) {
    const reported = { ...reportedAudio(sound), microphone: microphoneOf(sound) }
    const { sound: former } = this.view
    fieldLog.noteSound(sound, former)
    if (sound.audio === 'on' && this.#joinedAt !== null) {
      fieldLog.measured('join to sound', performance.now() - this.#joinedAt)
      this.#joinedAt = null
    }
    const hasChanged =
      JSON.stringify(reported) !== JSON.stringify({ ...reportedAudio(former), microphone: microphoneOf(former) })
    const hasOpened = sound.microphone === 'on' && this.view.sound.microphone !== 'on'
    const tap = this.#tapReminder.update(sound)
    this.#update({ sound, is_tap_awaited: tap.isAwaited })
    if (tap.isNew) this.#ringer.ring()
    this.#wakeLock.want(this.#keeper.isWanted) // also after leaving with Zoom's own button
    this.#controls.update()
    if (hasChanged) void this.#report(reported)
    if (hasOpened) void this.#checkWhileOpen()
    if (hasOpened && this.#phone.state.is_muted && !this.#isOpening) {
      void this.#keeper.mute().then(() => this.#report({ muted_again: true }))
    }
    this.#reconcile()
  }

  #handleLevel(level: number) {
    this.#isVoiceDetected = level > 0
    this.#cancelPause()
    if (level > 0) return this.#setSpeaking(true)
    this.#cancelPause = this.#schedule.after(PAUSE_MS, () => this.#setSpeaking(false))
  }

  #setSpeaking(isVoiceDetected: boolean) {
    const { state } = this.#phone
    const is_speaking = isVoiceDetected && this.#isOpen()
    if (is_speaking !== state.is_speaking) void this.#report({ is_speaking, speaker_on: this.#isOpen() })
  }

  #isOpen(): boolean {
    const { is_muted, ended } = this.#phone.state
    return this.#keeper.state.microphone === 'on' && !is_muted && !ended
  }

  /** Synchronises Parley's state with the microphone, and the microphone with the host's commands. */
  #reconcile() {
    const { is_muted, speaker_on, is_speaking, ended } = this.#phone.state
    if (ended) return
    if (this.#keeper.state.microphone === 'on' && (is_muted || !this.#isReachable)) void this.#keeper.mute()
    // A host who saw the phone asleep saw it as silent too.
    if (this.#isVoiceDetected && this.#isOpen() && !is_speaking) return this.#setSpeaking(true)
    if (this.#isOpen() === speaker_on) return
    void this.#report(this.#isOpen() ? { speaker_on: true } : { speaker_on: false, is_speaking: false })
  }

  /** Fails only if there is no retry. */
  async #reportHand(wants_to_speak: boolean) {
    await this.#phone.report({ wants_to_speak }).catch((error) => {
      if (this.view.unsent_hand !== wants_to_speak) throw error
    })
  }

  /** The next heartbeat retries a failed call. */
  async #report(change: Parameters<Phone['report']>[0]) {
    await this.#phone.report(change).catch(() => {})
  }

  #reportAwake(awake: boolean) {
    if (this.#phone.state.ended) return
    if (awake) void this.#report({ awake })
    else reportAsleep(this.#baseUrl, this.#phone.token)
  }

  async #poll() {
    do {
      if (!document.hidden && this.#phone.isConnected) await this.#fetchNow()
    } while (await this.#schedule.wait(POLL_MS, this.#closing.signal))
  }

  async #fetchNow(signal?: AbortSignal): Promise<boolean> {
    const { token } = this.#phone
    const url = `${this.#baseUrl}/api/mobile/room`
    try {
      const { data } = await call(RoomSummaryAnswer, 'GET', url, { token, ...(signal && { signal }) })
      this.#update({ now: data })
      return true
    } catch (error) {
      return error instanceof CallFailure
    }
  }

  #update(change: Partial<RoomView>) {
    this.view = { ...this.view, ...change }
    for (const listener of this.#listeners) listener()
  }
}

function microphoneOf({ microphone }: SoundState): PhoneMicrophone {
  return microphone === 'refused' || microphone === 'missing' ? microphone : 'usable'
}

async function measure<T>(what: Measured, act: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await act()
  fieldLog.measured(what, performance.now() - startedAt)
  return result
}
