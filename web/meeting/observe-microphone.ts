import { HeldMicrophone } from './held-microphone.ts'

export type MicrophoneAccess = 'off' | 'refused' | 'missing'

/** Observes Zoom's microphone requests, since Zoom does not report why they fail. The microphone can be held. */
export function observeMicrophone(onChange: (access: MicrophoneAccess) => void): HeldMicrophone {
  const { mediaDevices } = navigator
  const microphone = new HeldMicrophone()
  if (!mediaDevices) {
    onChange('missing') // the page is not in a secure context
    return microphone
  }
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (constraints) => {
    try {
      const stream = await getUserMedia(constraints)
      if (!constraints?.audio) return stream
      onChange('off')
      return microphone.take(stream)
    } catch (error) {
      if (constraints?.audio) onChange(isMissing(error) ? 'missing' : 'refused')
      throw error
    }
  }
  return microphone
}

const isMissing = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError'
