// A chunk of its own, which the sign-in form does without.
export { Lobby } from './lobby/Lobby.tsx'
export { openRoom } from './room/open-room.ts'
export { RoomSessionScreen } from './room/RoomSessionScreen.tsx'
