import type { NewPasskeyOptions, NewPasskeyResponse, PasskeyOptions, PasskeyResponse } from '../../shared/passkeys.ts'

/** Loads the library with its first use. */
const library = () => import('@simplewebauthn/browser')

/** False on plain http, unless the name is that of this machine. */
export const hasPasskeys = () => typeof window.PublicKeyCredential === 'function'

/** Asks the person for a passkey, and returns what the server verifies. */
export async function askForPasskey(optionsJSON: PasskeyOptions): Promise<PasskeyResponse> {
  return (await library()).startAuthentication({ optionsJSON })
}

export async function makePasskey(optionsJSON: NewPasskeyOptions): Promise<NewPasskeyResponse> {
  return (await library()).startRegistration({ optionsJSON })
}

/** Words a refusal by the browser or by the person; null for another failure. */
export function passkeyRefusal(error: unknown): string | null {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'There is a passkey for your account here already.'
  if (name === 'NotAllowedError' || name === 'AbortError') return 'No passkey was used. Try again, or use another way.'
  return name === 'SecurityError' ? 'Passkeys do not work at this address.' : null
}
