import { Alert, type AlertProps } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import type { Tone } from './theme.ts'

type NoticeProps = Omit<AlertProps, 'color'> & { tone: Exclude<Tone, 'brand'>; onDismiss?: () => void }

const ICONS = { good: IconCheck, warn: IconAlertTriangle, bad: IconAlertTriangle, quiet: IconInfoCircle }

/** Only a bad notice interrupts a screen reader. */
export function Notice({ tone, onDismiss, ...rest }: NoticeProps) {
  const Icon = ICONS[tone]
  return (
    <Alert
      color={tone}
      variant="light"
      role={tone === 'bad' ? 'alert' : 'status'}
      icon={<Icon size={18} stroke={1.9} aria-hidden="true" />}
      withCloseButton={onDismiss !== undefined}
      onClose={onDismiss}
      {...rest}
    />
  )
}
