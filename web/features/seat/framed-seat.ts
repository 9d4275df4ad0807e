import { EventEmitter } from 'eventemitter3'
import { FromSeat, SEAT_LEFT, SEAT_PORT, SEAT_READY, type ToSeat } from '../../seat/messages.ts'

type FrameOptions = {
  url: string // of the frame's page
  title: string // for screen readers
  container: HTMLElement
  /** Lends the frame the microphone, without which Zoom's program joins no sound. */
  hasSound: boolean
}

/** The permissions that Zoom's program needs. It must not navigate the whole page. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox'

/** Zoom's program goes to another page where its own button has left the meeting. */
const LEFT: FromSeat = { type: 'ended', reason: 'left', zoom_code: null }

const LOAD_TIMEOUT_MS = 20_000

/** The frame of the seat, which gets tickets but never the session. For a single joining. */
export class FramedSeat extends EventEmitter<{ message: [FromSeat]; gone: [] }> {
  readonly #options: FrameOptions
  readonly #closed = new AbortController()
  #frame: HTMLIFrameElement | null = null
  #port: MessagePort | null = null

  constructor(options: FrameOptions) {
    super()
    this.#options = options
  }

  /** Resolves once messages can be sent. */
  open(): Promise<void> {
    const { url, title, container, hasSound } = this.#options
    const { origin } = new URL(url)
    const frame = document.createElement('iframe')
    this.#frame = frame
    frame.title = title
    frame.allow = hasSound ? 'microphone; autoplay' : ''
    frame.setAttribute('sandbox', SANDBOX)
    frame.src = url
    const { signal } = this.#closed
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The frame of the seat does not load')), LOAD_TIMEOUT_MS)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(new Error('The seat was left'))
      })
      const receive = (event: MessageEvent) => {
        if (event.origin !== origin || event.source !== frame.contentWindow) return
        if (event.data === SEAT_LEFT) this.emit('message', LEFT)
        if (event.data !== SEAT_READY) return
        clearTimeout(timer)
        if (this.#port) return this.#end() // its page was loaded once more, which ended the meeting for it
        this.#connect(frame.contentWindow, origin)
        resolve()
      }
      window.addEventListener('message', receive, { signal })
      container.replaceChildren(frame)
    })
  }

  send(message: ToSeat) {
    this.#port?.postMessage(message)
  }

  /** Removes the frame, which leaves the meeting if that has not been done. */
  close() {
    this.removeAllListeners()
    this.#closed.abort()
    this.#port?.close()
    this.#port = null
    this.#frame?.remove()
  }

  #connect(target: Window | null, origin: string) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.onmessage = ({ data }) => {
      const message = FromSeat.safeParse(data)
      if (message.success) this.emit('message', message.data)
    }
    target?.postMessage(SEAT_PORT, origin, [port2])
  }

  #end() {
    this.emit('gone')
    this.close()
  }
}
