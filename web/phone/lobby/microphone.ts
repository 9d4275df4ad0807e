export type MicrophoneFault = 'refused' | 'missing' | 'insecure' | 'failed'

export class MicrophoneError extends Error {
  readonly fault: MicrophoneFault

  constructor(fault: MicrophoneFault, cause?: unknown) {
    super(`The microphone cannot be used: ${fault}`, { cause })
    this.fault = fault
  }
}

export async function openMicrophone(): Promise<MediaStream> {
  if (!window.isSecureContext || !navigator.mediaDevices) throw new MicrophoneError('insecure')
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true })
  } catch (error) {
    throw new MicrophoneError(faultOf(error), error)
  }
}

function faultOf(error: unknown): MicrophoneFault {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  return 'failed'
}

export type Permission = 'granted' | 'denied' | 'prompt' | 'unknown'

/** Reads the permission without a prompt. */
export async function microphonePermission(): Promise<Permission> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' })).state
  } catch {
    return 'unknown'
  }
}
