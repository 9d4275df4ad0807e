import { useSyncExternalStore } from 'react'
import { currentSession, type Session, subscribe } from './session.ts'

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession)
}
