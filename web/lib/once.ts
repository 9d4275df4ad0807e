/** Two presses within this time count as one, as operating systems define a double click. */
export const DOUBLE_PRESS_MS = 500

type Answered = { action: string; response: Response; since: number }

const underWay = new Map<string, { answer: Promise<Response>; since: number }>()
let latest: string | null = null
let answered: Answered | null = null

/**
 * Sends an action once. A repeat while the first is running, or within `rememberedMs` of its start, gets the first
 * one's answer. A failed action is sent again immediately, and so is a repeat after a different action. With
 * `sharedMs` a running action is shared only for so long from its start.
 */
export async function sendOnce(
  action: string,
  send: () => Promise<Response>,
  rememberedMs = DOUBLE_PRESS_MS,
  sharedMs = Number.POSITIVE_INFINITY,
): Promise<Response> {
  const since = performance.now()
  const running = underWay.get(action)
  if (running && since - running.since < sharedMs) return (await running.answer).clone()
  if (answered?.action === action && since - answered.since < rememberedMs) return answered.response.clone()

  latest = action
  answered = null
  if (unanswered?.action !== action) unanswered = null
  const answer = send()
  const call = { answer, since }
  underWay.set(action, call)
  try {
    const response = await answer
    if (response.ok && latest === action && rememberedMs > 0) answered = { action, response, since }
    return response.clone()
  } finally {
    if (underWay.get(action) === call) underWay.delete(action)
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

/** A later repeat of an unanswered action is a new act. */
const RETRY_MS = 5 * 60_000

let unanswered: { action: string; key: string; since: number } | null = null

/**
 * Repeats an unanswered action under the same idempotency key, so that the server does it only once. A 5xx counts as
 * unanswered: a proxy sends it when the answer is lost behind it. Once another action has been sent, or after
 * `RETRY_MS`, the same action is no retry: the first answer would be false, since the state has changed meanwhile.
 * Call it through `sendOnce`.
 */
export async function withIdempotencyKey(
  action: string,
  newKey: () => string,
  send: (key: string) => Promise<Response>,
): Promise<Response> {
  const isRetry = unanswered?.action === action && Date.now() - unanswered.since < RETRY_MS
  const key = unanswered && isRetry ? unanswered.key : newKey()
  unanswered = null
  let isAnswered = false
  try {
    const response = await send(key)
    isAnswered = response.status < 500
    return response
  } finally {
    if (!isAnswered) unanswered = { action, key, since: Date.now() }
  }
}
