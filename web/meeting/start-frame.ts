import { acceptPort } from '../zoom/accept-port.ts'
import { readMeetingSiteInfo } from './meeting-site-info.ts'
import { APP_PORT, FRAME_LEFT, FRAME_READY, type FromFrame, ToFrame } from './messages.ts'
import { ZoomMeetingAudio } from './zoom-meeting-audio.ts'

const LEFT_PATH = '/left'

/** Only accepts orders from the phone app, over the one port that it hands over. */
export function startFrame() {
  const { phone_url } = readMeetingSiteInfo()
  if (window.parent === window) return
  if (location.pathname === LEFT_PATH) return window.parent.postMessage(FRAME_LEFT, phone_url)
  acceptPort({ origin: phone_url, ready: FRAME_READY, offer: APP_PORT }, obey)
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
        audio.on('event', (name) => send({ type: 'event', name }))
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
