import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'

/** Light or dark; until it is pressed the page follows the system. */
export function SchemeToggle({ className }: { className?: string }) {
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  const label = dark ? 'Use light colours' : 'Use dark colours'
  return (
    <Tooltip label={label}>
      <ActionIcon className={className} aria-label={label} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
        {dark ? <IconSun size={19} stroke={1.75} /> : <IconMoon size={19} stroke={1.75} />}
      </ActionIcon>
    </Tooltip>
  )
}
