import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toast } from './toast.tsx'

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
