import { isRecord } from './is-record.ts'

type Ask = (methods: readonly string[]) => Promise<boolean>

let asks: Ask | null = null
let asking: Promise<boolean> | null = null

/** Registers what asks the person to confirm who they are; returns a function that removes it. */
export function onConfirmationNeeded(ask: Ask): () => void {
  asks = ask
  return () => {
    if (asks === ask) asks = null
  }
}

/**
 * Resolves to true if the answer asks for a confirmation and the person has given it: the call then succeeds. Calls
 * that wait for one at the same time share it.
 */
export async function isConfirmed(response: Response): Promise<boolean> {
  if (response.status !== 403 || !asks) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  if (!isRecord(body) || body.code !== 'confirm_needed' || !asks) return false
  const methods = isRecord(body.confirm) && Array.isArray(body.confirm.methods) ? body.confirm.methods : []
  asking ??= asks(methods.filter((method) => typeof method === 'string')).finally(() => {
    asking = null
  })
  return asking
}
