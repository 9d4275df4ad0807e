import { EventEmitter } from 'eventemitter3'
import type { JoinTicket } from '../../../shared/mobile.ts'
import type { MeetingAudio, MeetingAudioEvents, SoundTrouble } from '../../meeting/meeting-audio.ts'
import {
  APP_PORT,
  FRAME_LEFT,
  FRAME_READY,
  FrameTicket,
  FromFrame,
  SOUND_OFF,
  type SoundState,
  type ToFrame,
} from '../../meeting/messages.ts'

type FrameOptions = {
  origin: string // the frame's
  title: string // for screen readers
  language: string
  container: HTMLElement
}

type Command<M extends ToFrame = ToFrame> = M extends ToFrame ? Omit<M, 'id'> : never

/** The permissions that Zoom's program needs. It must not navigate the whole page. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox'

const LOAD_TIMEOUT_MS = 20_000
const JOIN_TIMEOUT_MS = 150_000
/** Waits without a timeout, as Zoom's own page displays them. */
const WAITS: (SoundTrouble | null)[] = ['host_absent', 'waiting_room']
/** Milliseconds from an order to mute until the sound is off. */
const SILENT_WITHIN_MS = 1_000
/** Milliseconds between attempts: Zoom accepts one call per second, and the microphone may just have been switched. */
const MICROPHONE_TIMEOUT_MS = 2_500
/** Longer than the frame takes to open the microphone, or to give up. */
const UNMUTE_TIMEOUT_MS = 6_000
const MUTE_AGAIN_MS = 200
const LEAVE_TIMEOUT_MS = 1_500

/** The meeting in a frame on another origin, which gets the ticket but never the session. For a single join. */
export class FramedMeetingAudio extends EventEmitter<MeetingAudioEvents> implements MeetingAudio {
  state: SoundState = SOUND_OFF
  level = 0
  #options: FrameOptions
  #frame: HTMLIFrameElement | null = null
  #port: MessagePort | null = null
  #calls = new Map<number, (error: string | null) => void>()
  #lastId = 0

  constructor(options: FrameOptions) {
    super()
    this.#options = options
  }

  async join(ticket: JoinTicket): Promise<void> {
    this.#set({ ...SOUND_OFF, audio: 'joining' })
    try {
      await this.#openFrame()
      const { language } = this.#options
      await this.#call({ type: 'join', ticket: FrameTicket.parse(ticket), language }, JOIN_TIMEOUT_MS)
    } catch (error) {
      const { trouble } = this.state
      this.#end(trouble ?? 'sdk_failed')
      throw error
    }
  }

  async leave(): Promise<void> {
    if (this.#port) await this.#call({ type: 'leave' }, LEAVE_TIMEOUT_MS).catch(() => {}) // the frame is removed anyway
    this.#end('left')
  }

  /**
   * Silences at once, since the frame holds the microphone until Zoom has switched it off. Removing the frame also
   * removes the microphone, which happens if either step takes too long.
   */
  async mute(): Promise<void> {
    const until = performance.now() + MICROPHONE_TIMEOUT_MS
    if (this.state.microphone === 'on' && !(await this.#obeys({ type: 'hold' }, SILENT_WITHIN_MS))) {
      return this.#end(null)
    }
    while (this.#port) {
      const left = until - performance.now()
      if (left <= 0) return this.#end(null)
      if (await this.#obeys({ type: 'microphone', on: false }, left)) return
      await new Promise((resolve) => setTimeout(resolve, MUTE_AGAIN_MS)) // Zoom may be reconnecting
    }
  }

  async unmute(): Promise<void> {
    await this.#call({ type: 'microphone', on: true }, UNMUTE_TIMEOUT_MS)
  }

  #openFrame(): Promise<void> {
    const { origin, title, container } = this.#options
    const frame = document.createElement('iframe')
    this.#frame = frame
    frame.title = title
    frame.allow = `microphone ${origin}; autoplay ${origin}`
    frame.setAttribute('sandbox', SANDBOX)
    frame.src = `${origin}/`
    let hasLoaded = false
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The frame of the meeting does not load')), LOAD_TIMEOUT_MS)
      const receive = (event: MessageEvent) => {
        if (this.#frame !== frame) return window.removeEventListener('message', receive)
        if (event.origin !== origin || event.source !== frame.contentWindow) return
        if (event.data === FRAME_LEFT) return this.#end('left')
        if (event.data !== FRAME_READY) return
        clearTimeout(timer)
        window.removeEventListener('online', loadAgain)
        if (this.#port) return this.#end(null) // its page was reloaded, which ended the meeting
        this.#connect(frame.contentWindow)
        resolve()
      }
      // A page whose load was interrupted by a network loss would never become ready.
      const loadAgain = () => {
        if (this.#frame !== frame) return window.removeEventListener('online', loadAgain)
        hasLoaded = false
        container.replaceChildren(frame)
      }
      window.addEventListener('message', receive)
      window.addEventListener('online', loadAgain)
      frame.addEventListener('load', () => {
        if (this.#port && hasLoaded) this.#end(null) // it shows a page other than the meeting's
        hasLoaded = true
      })
      container.replaceChildren(frame)
    })
  }

  #connect(target: Window | null) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.onmessage = ({ data }) => {
      const message = FromFrame.safeParse(data)
      if (message.success) this.#receive(message.data)
    }
    target?.postMessage(APP_PORT, this.#options.origin, [port2])
  }

  #receive(message: FromFrame) {
    switch (message.type) {
      case 'state':
        return this.#set(message.state)
      case 'level':
        return this.#setLevel(message.level)
      case 'event':
        return void this.emit('event', message.name)
      case 'ended':
        return this.#end(message.trouble)
      case 'done':
        return this.#calls.get(message.id)?.(message.error)
    }
  }

  #obeys(command: Command, timeoutMs: number): Promise<boolean> {
    return this.#call(command, timeoutMs).then(
      () => true,
      () => false,
    )
  }

  #call(command: Command, timeoutMs: number): Promise<void> {
    const id = ++this.#lastId
    const port = this.#port
    return new Promise((resolve, reject) => {
      if (!port) return reject(new Error('There is no meeting'))
      const isWaiting = () => command.type === 'join' && WAITS.includes(this.state.trouble)
      const timer = setInterval(() => {
        if (!isWaiting()) end('The meeting does not answer')
      }, timeoutMs)
      const end = (error: string | null) => {
        clearInterval(timer)
        this.#calls.delete(id)
        if (error === null) resolve()
        else reject(new Error(error))
      }
      this.#calls.set(id, end)
      port.postMessage({ ...command, id } satisfies ToFrame)
    })
  }

  /** Removes the frame, which ends all sound. */
  #end(trouble: SoundTrouble | 'left' | null) {
    if (!this.#frame) return
    this.#port?.close()
    this.#port = null
    this.#frame?.remove()
    this.#frame = null
    for (const end of [...this.#calls.values()]) end('The meeting was left')
    this.#setLevel(0)
    const { zoom_code } = this.state
    this.#set(trouble === 'left' ? SOUND_OFF : { ...SOUND_OFF, audio: 'lost', trouble, zoom_code })
    this.emit('ended', trouble)
  }

  #set(state: SoundState) {
    if (state === this.state) return
    this.state = state
    this.emit('change', state)
  }

  #setLevel(level: number) {
    if (level === this.level) return
    this.level = level
    this.emit('level', level)
  }
}
