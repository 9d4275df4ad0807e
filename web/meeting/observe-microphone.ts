export type MicrophoneAccess = 'off' | 'refused' | 'missing'

/** Zoom does not say why it has no microphone, so its own requests for one are observed. */
export function observeMicrophone(onChange: (access: MicrophoneAccess) => void): void {
  const { mediaDevices } = navigator
  if (!mediaDevices) {
    onChange('missing') // the page is not secure
    return
  }
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (constraints) => {
    try {
      const stream = await getUserMedia(constraints)
      if (constraints?.audio) onChange('off')
      return stream
    } catch (error) {
      if (constraints?.audio) onChange(isMissing(error) ? 'missing' : 'refused')
      throw error
    }
  }
}

const isMissing = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError'
