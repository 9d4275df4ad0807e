/** The letters of most players; Space and the arrows belong to the focused button or slider. */
export const PLAYER_KEYS = [
  { key: 'k', shown: 'K', label: 'play or pause', act: 'toggle' },
  { key: 'j', shown: 'J', label: 'back 15 seconds', act: 'back' },
  { key: 'l', shown: 'L', label: 'forward 15 seconds', act: 'forward' },
  { key: '<', shown: '<', label: 'slower', act: 'slower' },
  { key: '>', shown: '>', label: 'faster', act: 'faster' },
  { key: 'p', shown: 'P', label: 'the chapter before', act: 'chapterBefore' },
  { key: 'n', shown: 'N', label: 'the next chapter', act: 'nextChapter' },
  { key: 'Escape', shown: 'Esc', label: 'close the player', act: 'close' },
] as const
