import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toast } from './toast.tsx'

test('a warning is announced politely, and an error at once', async () => {
  render(
    <MantineProvider env="test">
      <Notifications />
    </MantineProvider>,
  )
  toast.warning('The microphone was closed again')
  toast.error('Failed to mute')
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('The microphone was closed again'))
  expect(screen.getByRole('alert').textContent).toBe('Failed to mute')
  notifications.clean()
})

test('equal toasts do not stack, and different ones do', async () => {
  render(
    <MantineProvider env="test">
      <Notifications />
    </MantineProvider>,
  )
  const texts = () => screen.getAllByRole('alert').map(({ textContent }) => textContent)
  for (let press = 0; press < 3; press++) toast.error('Please select users first')
  toast.error('Failed to refresh data')
  await waitFor(() => expect(texts()).toEqual(['Please select users first', 'Failed to refresh data']))
  toast.error('Please select users first')
  await waitFor(() => expect(texts()).toEqual(['Failed to refresh data', 'Please select users first']))
})
