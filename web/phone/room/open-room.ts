import type { Login } from '../../../shared/phone/phone.ts'
import type { RoomSession } from './room-session.ts'

export function openRoom(_baseUrl: string, _login: Login): RoomSession {
  throw new Error('The room cannot be opened yet')
}
