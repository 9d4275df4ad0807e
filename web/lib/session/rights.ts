import { useSession } from './session.ts'

/** Tells what the signed-in account may use. The server refuses the rest; screens leave it out. */
export function useRights() {
  const role = useSession().user?.role
  return {
    isHost: role === 'host',
    /** A moderator works with the running meeting alone. */
    managesUsers: role === 'host' || role === 'manager',
  }
}
