import { useStore } from 'zustand'
import { useSession } from '../../../lib/session/session.ts'
import { isMuteAllConfirmed, type LiveRoomStore, lastActOf } from '../live-room/live-room-store.ts'

/** Says which other person has pressed Mute All, until somebody acts again. */
export function MuteAllBy({ store }: { store: LiveRoomStore }) {
  const name = useMuteAllBy(store)
  return name === null ? null : <span>Mute All was pressed by {name}</span>
}

/** Returns null if it was the own account, or is over. */
export function useMuteAllBy(store: LiveRoomStore): string | null {
  const act = useStore(store, lastActOf)
  const isOn = useStore(store, isMuteAllConfirmed)
  const own = useSession().user?.id
  return isOn && act?.action === 'mute_all' && act.by.id !== own ? act.by.name : null
}
