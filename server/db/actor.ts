import type { AuditActorRole } from '../../shared/audit.ts'
import type { HostRole } from '../../shared/auth.ts'

/** Identifies who acts. The guard of a route makes it, from the session and the address of the call. */
export interface Actor {
  role: AuditActorRole
  /** The account that acts. Several may act for one host. */
  id: string | null
  /** The host for whose room it acts; null for masters. */
  host_id: string | null
  ip: string | null
  /** The rights that an assistant had, which its entries in the audit keep. */
  acts_as?: HostRole
  /** The action is refused if this session has ended. Null if no session may refuse it. */
  session_id: string | null
  /** The command on the server with which it acts, such as `master reset`. */
  command?: string
}

/** A caller has an address, signed in or not. */
export interface Caller extends Actor {
  ip: string
  /** The browser that signs in, of which its session keeps 200 characters. */
  user_agent?: string | null
}

export interface MasterActor extends Caller {
  role: 'master'
  id: string
  session_id: string
}

/** Acts in the room of a host. */
interface RoomActor extends Caller {
  id: string
  host_id: string
  session_id: string
}

/** The host itself, or an assistant, who acts for the host under an account of its own. */
export interface HostActor extends RoomActor {
  role: 'host' | 'assistant'
  acts_as: HostRole
}

export interface PhoneActor extends RoomActor {
  role: 'phone'
  /** Null for the host's own phone. */
  room_user_id: string | null
}

export const SYSTEM: Actor = { role: 'system', id: null, host_id: null, ip: null, session_id: null }

/** Returns an actor whose action no session refuses: it has already happened, as at Zoom, or ends the session. */
export function regardlessOfSession(by: Actor): Actor {
  return { ...by, session_id: null }
}
