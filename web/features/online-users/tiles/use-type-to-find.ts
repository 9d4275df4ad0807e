import { type RefObject, useEffect } from 'react'
import { handlesOwnKeys } from '../../../ui/handles-own-keys.ts'
import { useShortcutsSetting } from '../controls/RoomKeys.tsx'

const IS_TEXT = /^[\p{L}\p{N}]$/u

/** True for the group field while its list is closed; while it is open, Escape closes the list. */
function isGroupField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && 'clearsFilters' in target.dataset && target.dataset.expanded === undefined
}

/** A letter typed anywhere on the page begins a filter, and Escape ends it. */
export function useTypeToFind(
  input: RefObject<HTMLInputElement | null>,
  onWords: (words: string) => void,
  onClear: () => void,
) {
  const [isOn] = useShortcutsSetting()
  useEffect(() => {
    if (!isOn) return
    function handleKey(event: KeyboardEvent) {
      const { key, target, isComposing } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isComposing) return
      if (key === 'Escape' && (target === input.current || isGroupField(target) || !handlesOwnKeys(target))) onClear()
      if (!IS_TEXT.test(key) || handlesOwnKeys(target)) return
      event.preventDefault()
      onWords(key) // replaces the present filter
      input.current?.focus()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [isOn, input, onWords, onClear])
}
