import { useEffect, useEffectEvent } from 'react'

const ENTRY = { parley: 'room' }
const isOwnEntry = () => JSON.stringify(window.history.state) === JSON.stringify(ENTRY)

/** Back asks instead of leaving: while the screen is there, it only goes back to an entry of the room's own. */
export function useBackAsks(ask: () => void) {
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    const hold = () => {
      if (!isOwnEntry()) window.history.pushState(ENTRY, '')
    }
    const handleBack = () => {
      if (window.location.hash !== '' || isOwnEntry()) return // a link was opened, or it went forward
      hold()
      askNow()
    }
    hold()
    window.addEventListener('popstate', handleBack)
    return () => window.removeEventListener('popstate', handleBack)
  }, [])
}
