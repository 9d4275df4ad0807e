/** Two presses within this time count as one, as operating systems define a double click. */
export const DOUBLE_PRESS_MS = 500

type Answered = { action: string; response: Response; since: number }

const underWay = new Map<string, Promise<Response>>()
let latest: string | null = null
let answered: Answered | null = null

/**
 * Sends an action once. A repeat while the first is running, or within `rememberedMs` of its start, gets the first
 * one's answer. A failed action is sent again immediately, and so is a repeat after a different action. With
 * `rememberedMs` 0 only a running action is shared.
 */
export async function sendOnce(
  action: string,
  send: () => Promise<Response>,
  rememberedMs = DOUBLE_PRESS_MS,
): Promise<Response> {
  const running = underWay.get(action)
  if (running) return (await running).clone()
  const since = performance.now()
  if (answered?.action === action && since - answered.since < rememberedMs) return answered.response.clone()

  latest = action
  answered = null
  const answer = send()
  underWay.set(action, answer)
  try {
    const response = await answer
    if (response.ok && latest === action && rememberedMs > 0) answered = { action, response, since }
    return response.clone()
  } finally {
    underWay.delete(action)
  }
}

let pressed: { action: string; since: number } | null = null

/** Detects the second press of a double click, for actions that call no server or only read. */
export function isSecondPress(action: string): boolean {
  const now = performance.now()
  if (pressed?.action === action && now - pressed.since < DOUBLE_PRESS_MS) return true
  pressed = { action, since: now }
  return false
}

/** Call it when an action has failed, so that it can be tried again immediately. */
export function resetPress(): void {
  pressed = null
}

const unansweredKeys = new Map<string, string>()

/**
 * Repeats an unanswered action under the same idempotency key, so that the server does it only once. A 5xx counts as
 * unanswered: a proxy sends it when the answer is lost behind it.
 */
export async function withIdempotencyKey(
  action: string,
  newKey: () => string,
  send: (key: string) => Promise<Response>,
): Promise<Response> {
  const key = unansweredKeys.get(action) ?? newKey()
  unansweredKeys.set(action, key)
  const response = await send(key)
  if (response.status < 500) unansweredKeys.delete(action)
  return response
}
