import { ROOM_KEYS } from '../../features/online-users/controls/room-keys.ts'
import { PLAYER_KEYS } from '../../features/recordings/player-keys.ts'

/** The search opens by these, in the notation of Mantine. */
export const SEARCH_SHORTCUTS = ['/', 'mod + K']
export const HELP_KEY = '?'

/** `keys` are pressed together; `or` is another way. */
type Shortcut = { keys: readonly string[]; or?: readonly string[]; label: string }
export type ShortcutGroup = { title: string; isRoom?: boolean; shortcuts: readonly Shortcut[] }

const [search = [], searchToo = []] = SEARCH_SHORTCUTS.map((one) => one.replace('mod', 'Ctrl').split(' + '))

const EVERYWHERE: ShortcutGroup = {
  title: 'Everywhere',
  shortcuts: [
    { keys: search, or: searchToo, label: 'search for a page, a name or an action' },
    { keys: [HELP_KEY], label: 'show these shortcuts' },
    { keys: ['Esc'], label: 'close what is open' },
  ],
}
const SEARCH: ShortcutGroup = {
  title: 'In the search',
  shortcuts: [
    { keys: ['↓'], or: ['↑'], label: 'choose a line' },
    { keys: ['Enter'], label: 'open it, or do it' },
  ],
}
const ROOM: ShortcutGroup = {
  title: 'On the page Online',
  isRoom: true,
  shortcuts: [...ROOM_KEYS, { keys: ['Enter'], label: 'in the filter, go to the first user' }],
}
const PLAYER: ShortcutGroup = {
  title: 'While a recording plays, in its player',
  shortcuts: PLAYER_KEYS.map(({ shown, label }) => ({ keys: [shown], label })),
}

/** Lists the shortcuts of the pages that the account may open. */
export function shortcutGroups({ hasRoom, hasRecordings }: { hasRoom: boolean; hasRecordings: boolean }) {
  return [EVERYWHERE, SEARCH, ...(hasRoom ? [ROOM] : []), ...(hasRecordings ? [PLAYER] : [])]
}
