import type { Icon } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'

/** What the search of the header can do now, by the code behind the button of the same name. */
export type Action = { label: string; icon: Icon; synonyms?: string[]; run: () => void }

export const useOfferedActions = create<readonly Action[]>(() => [])

/** Offers an act in the search for as long as the caller is on the page and `isOffered`. */
export function useAction(label: string, icon: Icon, run: () => void, isOffered = true): void {
  const handleRun = useEffectEvent(run)
  useEffect(() => {
    if (!isOffered) return
    const action: Action = { label, icon, run: () => handleRun() }
    useOfferedActions.setState((actions) => [...actions, action], true)
    return () => useOfferedActions.setState((actions) => actions.filter((one) => one !== action), true)
  }, [label, icon, isOffered])
}
