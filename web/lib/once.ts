/** Two presses this close together are one, as a double click is by the systems' own measure. */
export const DOUBLE_PRESS_MS = 500

type Answered = { act: string; response: Response; since: number }

const underWay = new Map<string, Promise<Response>>()
let latest: string | null = null
let answered: Answered | null = null

/**
 * Sends an act once. The same act while the first is under way, or within a double click of it, gets the first one's
 * answer. An act that failed is sent again at once, and so is one with another act in between. With `rememberedMs` 0 the
 * answer is kept no longer than it takes to arrive.
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

/** Of what calls no server, or only reads: whether this press is the second one of a double click. */
export function isSecondPress(act: string): boolean {
  const now = performance.now()
  if (pressed?.act === act && now - pressed.since < DOUBLE_PRESS_MS) return true
  pressed = { act, since: now }
  return false
}

/** For an act that failed: it may be tried again at once. */
export function forgetPress(): void {
  pressed = null
}

const unansweredKeys = new Map<string, string>()

/** The key that a repeat of an unanswered act bears, so that the server does it only once. */
export async function withKeptKey(
  act: string,
  newKey: () => string,
  send: (key: string) => Promise<Response>,
): Promise<Response> {
  const key = unansweredKeys.get(act) ?? newKey()
  unansweredKeys.set(act, key)
  const response = await send(key)
  unansweredKeys.delete(act)
  return response
}
