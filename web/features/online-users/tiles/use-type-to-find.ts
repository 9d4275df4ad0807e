import { type RefObject, useEffect } from 'react'
import { isElsewhere, useKeysOn } from '../controls/RoomKeys.tsx'

const IS_TEXT = /^[\p{L}\p{N}]$/u

/** The field of the groups; while its list is open, Escape closes that. */
function isGroupField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && 'clearsFilters' in target.dataset && target.dataset.expanded === undefined
}

/** A letter typed anywhere on the page begins a filter, and Escape ends it. */
export function useTypeToFind(
  input: RefObject<HTMLInputElement | null>,
  onWords: (words: string) => void,
  onClear: () => void,
) {
  const [isOn] = useKeysOn()
  useEffect(() => {
    if (!isOn) return
    function handleKey(event: KeyboardEvent) {
      const { key, target, isComposing } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isComposing) return
      if (key === 'Escape' && (target === input.current || isGroupField(target) || !isElsewhere(target))) onClear()
      if (!IS_TEXT.test(key) || isElsewhere(target)) return
      event.preventDefault()
      onWords(key) // in place of what was there
      input.current?.focus()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [isOn, input, onWords, onClear])
}
