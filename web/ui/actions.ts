import type { Icon } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'

/** An action in the header's search; it runs the code of the button of the same name. */
export type Action = { label: string; icon: Icon; synonyms?: string[]; run: () => void }

/** True if each of the words is in the action's name, in any order, or a synonym begins with them. */
export function isNamed({ label, synonyms = [] }: Pick<Action, 'label' | 'synonyms'>, words: string): boolean {
  const name = label.toLowerCase()
  const typed = words.toLowerCase()
  const isInName = typed.split(/\s+/).every((word) => name.includes(word))
  return isInName || (typed !== '' && synonyms.some((one) => one.startsWith(typed)))
}

export const useOfferedActions = create<readonly Action[]>(() => [])

/** Offers an action in the search while the caller is mounted and `isOffered`. */
export function useAction(label: string, icon: Icon, run: () => void, isOffered = true): void {
  const handleRun = useEffectEvent(run)
  useEffect(() => {
    if (!isOffered) return
    const action: Action = { label, icon, run: () => handleRun() }
    useOfferedActions.setState((actions) => [...actions, action], true)
    return () => useOfferedActions.setState((actions) => actions.filter((one) => one !== action), true)
  }, [label, icon, isOffered])
}
