import { useEffect, useEffectEvent } from 'react'

const ENTRY = { parley: 'room' }
const isOwnEntry = () => JSON.stringify(window.history.state) === JSON.stringify(ENTRY)

/** Makes Back ask instead of leaving: while the screen is open, it only returns to one of the room's own entries. */
export function useConfirmBack(ask: () => void) {
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    const hold = () => {
      if (!isOwnEntry()) window.history.pushState(ENTRY, '')
    }
    const handleBack = () => {
      if (window.location.hash !== '' || isOwnEntry()) return // the user opened a link or went forward
      hold()
      askNow()
    }
    hold()
    window.addEventListener('popstate', handleBack)
    return () => window.removeEventListener('popstate', handleBack)
  }, [])
}
