import { readMeetingSiteInfo } from './meeting-site-info.ts'
import { APP_PORT, FRAME_LEFT, FRAME_READY, type FromFrame, ToFrame } from './messages.ts'
import { ZoomMeetingAudio } from './zoom-meeting-audio.ts'

const LEFT_PATH = '/left'

/** Only accepts orders from the phone app, over the one port that it hands over. */
export function startFrame() {
  const { phone_url } = readMeetingSiteInfo()
  if (window.parent === window) return
  if (location.pathname === LEFT_PATH) return window.parent.postMessage(FRAME_LEFT, phone_url)
  const waiting = new AbortController()
  const receive = ({ origin, source, data, ports: [port] }: MessageEvent) => {
    if (origin !== phone_url || source !== window.parent || data !== APP_PORT || !port) return
    waiting.abort()
    obey(port)
  }
  window.addEventListener('message', receive, { signal: waiting.signal })
  window.parent.postMessage(FRAME_READY, phone_url)
}

function obey(port: MessagePort) {
  const send = (message: FromFrame) => port.postMessage(message)
  let audio: ZoomMeetingAudio | null = null

  port.onmessage = async ({ data }) => {
    const message = ToFrame.parse(data)
    const error = await run(message).then(
      () => null,
      (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
    )
    send({ type: 'done', id: message.id, error })
  }

  async function run(message: ToFrame): Promise<void> {
    switch (message.type) {
      case 'join':
        audio = new ZoomMeetingAudio({ leaveUrl: location.origin + LEFT_PATH, language: message.language })
        audio.on('change', (state) => send({ type: 'state', state }))
        audio.on('level', (level) => send({ type: 'level', level }))
        audio.on('ended', (trouble) => send({ type: 'ended', trouble }))
        return audio.join(message.ticket)
      case 'hold':
        return audio?.hold()
      case 'microphone':
        return message.on ? audio?.unmute() : audio?.mute()
      case 'leave':
        return audio?.leave()
    }
  }
}
