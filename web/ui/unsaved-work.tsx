import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { currentSession } from '../lib/session/session.ts'
import { confirm } from './confirm.tsx'
import { topLayer } from './layers.ts'

const unsaved = new Set<object>()
const saves = new Set<Promise<void>>()
let isBack = false

/** Asks before the page or the tab is left with unsaved work. */
export function useUnsavedWork(isUnsaved: boolean) {
  useEffect(() => {
    if (!isUnsaved) return
    const work = {}
    const keepTab = (event: BeforeUnloadEvent) => {
      if (currentSession().token) event.preventDefault() // without a session nothing can be saved any more
    }
    unsaved.add(work)
    window.addEventListener('beforeunload', keepTab)
    return () => {
      unsaved.delete(work)
      window.removeEventListener('beforeunload', keepTab)
    }
  }, [isUnsaved])
}

/** Delays leaving until the work is saved, or is not. */
export function useSaving(isSaving: boolean) {
  useEffect(() => {
    if (!isSaving) return
    const { promise, resolve } = Promise.withResolvers<void>()
    saves.add(promise)
    return () => {
      saves.delete(promise)
      resolve()
    }
  }, [isSaving])
}

export function confirmDiscard(): Promise<boolean> {
  return confirm({
    title: 'Discard your changes?',
    body: 'What you entered has not been saved.',
    confirmLabel: 'Discard',
    cancelLabel: 'Keep editing',
    danger: true,
  })
}

/** True if nothing is unsaved, or the person agreed to discard it. */
export async function confirmLeave(): Promise<boolean> {
  await Promise.all(saves)
  return unsaved.size === 0 || confirmDiscard()
}

/**
 * Mount it once per panel, since the router supports one blocker: Back closes the top layer, and unsaved work asks
 * first.
 */
export function LeaveGuard() {
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    isBack = historyAction === 'POP'
    return (
      (isBack && topLayer() !== undefined) || (unsaved.size > 0 && currentLocation.pathname !== nextLocation.pathname)
    )
  })

  useEffect(() => {
    if (blocker.state !== 'blocked') return
    let isReplaced = false
    const open = isBack ? topLayer() : undefined
    if (open) {
      blocker.reset()
      open.close()
    } else
      void confirmLeave().then((agreed) => {
        if (!isReplaced) agreed ? blocker.proceed() : blocker.reset()
      })
    return () => {
      isReplaced = true
    }
  }, [blocker])

  return null
}
