import { DOUBLE_PRESS_MS } from '../lib/once.ts'

interface Press {
  key: string
  target: EventTarget | null
  at: number
}

/** The latest press, unless another key or the pointer came after it. */
let last: Press | null = null
/** Space clicks when it is released, in Firefox even if its keydown was cancelled. */
let ignoredSpace = false

/** Makes a held or doubled key press only once, since the first press may have moved the focus to another button. */
export function ignoreRepeatedKeys(): () => void {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  window.addEventListener('keydown', handleKeydown, options)
  window.addEventListener('keyup', handleKeyup, options)
  window.addEventListener('pointerdown', forget, options)
  return () => {
    listening.abort()
    forget()
  }
}

function handleKeydown(event: KeyboardEvent): void {
  const { key, target, repeat } = event
  if (key !== 'Enter' && key !== ' ') {
    forget()
    return
  }
  if (repeat) {
    if (key === 'Enter' && !(target instanceof HTMLTextAreaElement)) cancel(event)
    return
  }
  const at = performance.now()
  const isIgnored = isDoubled({ key, target, at })
  if (isIgnored) cancel(event)
  ignoredSpace = key === ' ' && isIgnored
  last = { key, target: isIgnored && last ? last.target : target, at }
}

function handleKeyup(event: KeyboardEvent): void {
  if (event.key !== ' ' || !ignoredSpace) return
  ignoredSpace = false
  cancel(event)
}

/** True for the second press of a double one if the focus has moved in between. */
function isDoubled({ key, target, at }: Press): boolean {
  return last !== null && last.key === key && last.target !== target && at - last.at < DOUBLE_PRESS_MS
}

function forget(): void {
  last = null
}

function cancel(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}
