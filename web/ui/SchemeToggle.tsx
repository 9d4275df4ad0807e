import { IconMoon, IconSun } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { chooseScheme, currentScheme, subscribeToScheme } from './color-scheme.ts'
import { IconButton } from './IconButton.tsx'

/** Light or dark; until it is pressed the page follows the system. */
export function SchemeToggle({ className }: { className?: string }) {
  const isDark = useSyncExternalStore(subscribeToScheme, currentScheme) === 'dark'
  return (
    <IconButton
      className={className}
      label={isDark ? 'Use light colours' : 'Use dark colours'}
      onClick={() => chooseScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={19} stroke={1.75} /> : <IconMoon size={19} stroke={1.75} />}
    </IconButton>
  )
}
