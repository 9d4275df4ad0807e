/** Two presses within this time count as one, as operating systems define a double click. */
export const DOUBLE_PRESS_MS = 500

type Answered = { act: string; response: Response; since: number }

const underWay = new Map<string, Promise<Response>>()
let latest: string | null = null
let answered: Answered | null = null

/**
 * Sends an act once. A repeat while the first is running, or within `rememberedMs` of its start, gets the first one's
 * answer. A failed act is sent again immediately, and so is a repeat after a different act. With `rememberedMs` 0 only
 * a running act is shared.
 */
export async function once(
  act: string,
  send: () => Promise<Response>,
  rememberedMs = DOUBLE_PRESS_MS,
): Promise<Response> {
  const running = underWay.get(act)
  if (running) return (await running).clone()
  const since = performance.now()
  if (answered?.act === act && since - answered.since < rememberedMs) return answered.response.clone()

  latest = act
  answered = null
  const answer = send()
  underWay.set(act, answer)
  try {
    const response = await answer
    if (response.ok && latest === act && rememberedMs > 0) answered = { act, response, since }
    return response.clone()
  } finally {
    underWay.delete(act)
  }
}

let pressed: { act: string; since: number } | null = null

/** Detects the second press of a double click, for acts that call no server or only read. */
export function isSecondPress(act: string): boolean {
  const now = performance.now()
  if (pressed?.act === act && now - pressed.since < DOUBLE_PRESS_MS) return true
  pressed = { act, since: now }
  return false
}

/** Call it when an act has failed, so that it can be tried again immediately. */
export function forgetPress(): void {
  pressed = null
}

const unansweredKeys = new Map<string, string>()

/**
 * Repeats an unanswered act under the same idempotency key, so that the server does it only once. A 5xx counts as
 * unanswered: a proxy sends it when the answer is lost behind it.
 */
export async function withKeptKey(
  act: string,
  newKey: () => string,
  send: (key: string) => Promise<Response>,
): Promise<Response> {
  const key = unansweredKeys.get(act) ?? newKey()
  unansweredKeys.set(act, key)
  const response = await send(key)
  if (response.status < 500) unansweredKeys.delete(act)
  return response
}
