import type { Order } from '../order.ts'
import type { userOf } from './answers.ts'
import { HostPanel, newButton } from './host-panel.ts'

type PanelState = {
  stage: 'waiting' | 'in' | 'reconnecting' | 'over'
  mayJoinAudio: boolean
  hasAudio: boolean
  isBusy: boolean // while the audio is being joined
  isWaiting: boolean // in the waiting room
  isAsked: boolean // by a host, to unmute
  muted: boolean
  speakers: string[]
  isRecording: boolean
  notice: string
  isZoomApp: boolean // rather than the SDK in a page of ours
  raiseHand: boolean
  users: ReturnType<typeof userOf>[] // the own one first
}

type Presses = {
  joinAudio: () => void
  toggleMicrophone: () => void
  leave: () => void
  answerAsked: (unmutes: boolean) => void
  raiseHand: (raiseHand: boolean) => void
  order: (order: Order) => void
}

const STYLE = `
#zmmtg-root .demo-zoom { box-sizing: border-box; max-width: 30rem; margin: 0 auto; padding: 12px; border: 1px solid #6b7685;
  border-radius: 12px; background: #fff; color: #1b2330; font: 16px/1.4 system-ui, sans-serif; overflow-wrap: anywhere }
.demo-zoom h2 { margin: 0 0 8px; font-size: 1rem }
.demo-zoom p { margin: 8px 0 0 }
.demo-zoom p:empty, .demo-zoom [hidden] { display: none }
.demo-zoom button { min-height: 48px; min-width: 8rem; padding: 0 20px; border: 1px solid #14459f; border-radius: 10px;
  background: #1d5bd6; color: #fff; font: inherit; font-weight: 600; cursor: pointer }
.demo-zoom button[aria-pressed=true] { background: #fff; color: #14459f }
.demo-zoom button.leave { margin-inline-start: 8px; border-color: #9c1c15; background: #fff; color: #9c1c15 }
.demo-zoom button:disabled { background: #5a6473; border-color: #5a6473; cursor: default }
.demo-zoom button:focus-visible { outline: 3px solid #14459f; outline-offset: 2px }
.demo-zoom ul { max-height: 40vh; margin: 8px 0 0; padding: 0; overflow: auto; list-style: none }
.demo-zoom li button, .demo-zoom details button { min-width: 0; min-height: 32px; margin: 2px; padding: 0 10px; font-size: .875rem }
.demo-zoom.app { background: #24262c; color: #f3f4f6 }
.demo-zoom.app .recording { color: #ffb4ab }
.demo-zoom .recording { font-weight: 600; color: #9c1c15 }
`

/** The relevant parts of Zoom's interface: the tap that joins the audio, a microphone button, Leave, and notices. */
export class StandInPanel {
  readonly root: HTMLElement
  readonly #joinAudio = document.createElement('button')
  readonly #microphone = document.createElement('button')
  readonly #leave = document.createElement('button')
  readonly #speakers = document.createElement('p')
  readonly #recording = document.createElement('p')
  readonly #notice = document.createElement('p')
  readonly #asked = document.createElement('div')
  readonly #hand: HTMLButtonElement
  readonly #hostPanel: HostPanel
  readonly #box: HTMLElement

  constructor({ joinAudio, toggleMicrophone, leave, answerAsked, raiseHand, order }: Presses) {
    this.#hostPanel = new HostPanel(order)
    this.#hand = newButton('Raise Hand', () => raiseHand(this.#hand.getAttribute('aria-pressed') !== 'true'))
    const box = document.createElement('section')
    this.#box = box
    box.className = 'demo-zoom'
    box.lang = 'en'
    box.setAttribute('aria-label', 'Demo Zoom')
    const style = document.createElement('style')
    style.textContent = STYLE
    const title = document.createElement('h2')
    title.textContent = 'Demo Zoom'
    const buttons = [this.#joinAudio, this.#microphone, this.#hand, this.#leave]
    for (const button of buttons) button.type = 'button'
    const { lang } = document.documentElement
    this.#joinAudio.textContent = lang.startsWith('es') ? 'Entrar al audio' : 'Join Audio' // the text of Zoom's es-ES
    // Browsers let a page begin to play upon a press of the user, not of a script.
    this.#joinAudio.addEventListener('click', ({ isTrusted }) => isTrusted && joinAudio())
    this.#microphone.addEventListener('click', toggleMicrophone)
    this.#leave.textContent = 'Leave'
    this.#leave.className = 'leave'
    this.#leave.addEventListener('click', leave)
    this.#recording.className = 'recording'
    for (const line of [this.#recording, this.#notice]) line.setAttribute('role', 'status')
    this.#asked.setAttribute('role', 'alertdialog')
    this.#asked.setAttribute('aria-label', 'The host would like you to unmute')
    const question = document.createElement('p')
    question.textContent = 'The host would like you to unmute'
    this.#asked.append(
      question,
      newButton('Unmute', () => answerAsked(true)),
      newButton('Stay Muted', () => answerAsked(false)),
    )
    box.append(
      style,
      title,
      ...buttons,
      this.#speakers,
      this.#recording,
      this.#notice,
      this.#asked,
      this.#hostPanel.root,
    )
    this.root = document.getElementById('zmmtg-root') ?? document.createElement('div')
    this.root.id = 'zmmtg-root'
    this.root.querySelector('.demo-zoom')?.remove() // left over from a finished meeting
    this.root.append(box)
    if (!this.root.isConnected) document.body.append(this.root)
  }

  show({ stage, isBusy, muted, speakers, isRecording, ...state }: PanelState) {
    const isConnected = stage === 'in' || stage === 'reconnecting'
    const isIn = isConnected && !state.isWaiting
    const { hasAudio, notice } = state
    this.#joinAudio.hidden = !isIn || hasAudio || !state.mayJoinAudio
    this.#joinAudio.disabled = isBusy
    this.#microphone.hidden = !isIn || !hasAudio
    this.#leave.hidden = !isConnected
    this.#asked.hidden = !isIn || !hasAudio || !state.isAsked
    this.#hand.hidden = !isIn || !state.isZoomApp
    this.#hand.setAttribute('aria-pressed', String(state.raiseHand))
    setText(this.#hand, state.raiseHand ? 'Lower Hand' : 'Raise Hand')
    this.#box.classList.toggle('app', state.isZoomApp)
    this.#hostPanel.show(isIn ? state.users : [])
    setText(this.#microphone, muted ? 'Unmute' : 'Mute')
    this.#microphone.setAttribute('aria-pressed', String(muted))
    setText(this.#speakers, isIn && speakers.length > 0 ? `Speaking: ${speakers.join(', ')}` : '')
    setText(this.#recording, isIn && isRecording ? 'This meeting is being recorded' : '')
    const text = isConnected && state.isWaiting ? 'Please wait, the meeting host will let you in soon.' : notice
    setText(this.#notice, stage === 'reconnecting' ? 'Reconnecting …' : text)
  }
}

/** Skips unchanged text, which screen readers would read out again. */
function setText(element: HTMLElement, text: string) {
  if (element.textContent !== text) element.textContent = text
}
