import { HeldMicrophone } from './held-microphone.ts'

export type MicrophoneAccess = 'off' | 'refused' | 'missing' | 'silenced'

/** Observes Zoom's microphone requests, since Zoom does not report why they fail, nor that the system silences it. */
export function observeMicrophone(onChange: (access: MicrophoneAccess) => void): HeldMicrophone {
  const { mediaDevices } = navigator
  const microphone = new HeldMicrophone((isSilenced) => onChange(isSilenced ? 'silenced' : 'off'))
  if (!mediaDevices) {
    onChange('missing') // the page is not in a secure context
    return microphone
  }
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (constraints) => {
    try {
      const stream = await getUserMedia(constraints)
      if (!constraints?.audio) return stream
      const taken = microphone.take(stream)
      onChange(microphone.isSilenced ? 'silenced' : 'off')
      return taken
    } catch (error) {
      if (constraints?.audio) onChange(isMissing(error) ? 'missing' : 'refused')
      throw error
    }
  }
  return microphone
}

const isMissing = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError'
