/** The letters of most players; Space and the arrows belong to the focused button or slider. */
export const PLAYER_KEYS = [
  { key: 'k', shown: 'K', label: 'play or pause', act: 'toggle' },
  { key: 'j', shown: 'J', label: 'back 15 seconds', act: 'back' },
  { key: 'l', shown: 'L', label: 'forward 15 seconds', act: 'forward' },
  { key: 'Escape', shown: 'Esc', label: 'close the player', act: 'close' },
] as const
