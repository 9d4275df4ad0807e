/** Keys that act on the room. They need Alt, since letters filter the users. */
export const ROOM_ACT_KEYS = [
  { keys: ['Alt', 'N'], label: 'next speaker', act: 'next' },
  { keys: ['Alt', 'M'], label: 'mute current speaker', act: 'mute-current' },
  { keys: ['Alt', 'Shift', 'M'], label: 'mute all', act: 'mute-all' },
] as const

export const ROOM_KEYS = [
  { keys: ['A–Z'], label: 'find a user' },
  { keys: ['Esc'], label: 'show all' },
  ...ROOM_ACT_KEYS,
] as const
