import { useEffect, useRef, useState } from 'react'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { announcements } from './announcements.ts'

/** Longer than a burst of changes, so that a Mute All is one sentence. */
const GATHER_MS = 1500

/** What a screen reader should hear of the room, gathered over a short while. */
export function useAnnouncements(store: LiveRoomStore): string {
  const [text, setText] = useState('')
  const said = useRef(store.current().users)

  useEffect(() => {
    const timer = setInterval(() => {
      const { users } = store.current()
      const news = users === said.current ? '' : announcements(said.current, users)
      said.current = users
      setText(news) // emptied again, so that the same news is said a second time
    }, GATHER_MS)
    return () => clearInterval(timer)
  }, [store])

  return text
}
