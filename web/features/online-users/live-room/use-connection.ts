import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { type Connection, connection } from './connection.ts'
import type { LiveRoomStore } from './live-room-store.ts'

const CHECK_MS = 250

/** Whether the page may be believed, looked at four times a second, since silence raises no event. */
export function useConnection(store: LiveRoomStore): Connection {
  const isShown = useDocumentVisibility() === 'visible'
  const [state, setState] = useState<Connection>('live')

  useEffect(() => {
    if (!isShown) return
    const shownAt = performance.now()
    const check = () => setState(connection(store.current().heardAt, shownAt, performance.now()))
    check()
    const timer = setInterval(check, CHECK_MS)
    const stop = store.subscribe(check)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [store, isShown])

  return state
}
