import { ThemeIcon } from '@mantine/core'
import { IconMicrophoneOff } from '@tabler/icons-react'

/** Marks a user whom the host has muted. */
export function MutedMark() {
  return (
    <ThemeIcon component="span" color="warn" size={20} radius="xl" flex="none" title="Muted by the host">
      <IconMicrophoneOff size={12} stroke={2} aria-hidden="true" />
      <span className="unseen">Muted</span>
    </ThemeIcon>
  )
}
