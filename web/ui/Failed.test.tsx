import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiError } from '../lib/api-client.ts'
import { Failed } from './Failed.tsx'

const show = (error: Error) =>
  render(
    <MantineProvider env="test">
      <Failed error={error}>The list could not be fetched.</Failed>
    </MantineProvider>,
  )

test('a fault of the server is shown with its request ID, to be copied', () => {
  show(new ApiError(500, 'Something went wrong on our side.', { requestId: '6f1c2b9a-0d3e' }))
  expect(screen.getByRole('alert').textContent).toContain('Request ID 6f1c2b9a-0d3e')
  expect(screen.getByRole('button', { name: 'Copy request ID' })).toBeTruthy()
})

test('what is no fault of the server has none', () => {
  show(new ApiError(0, 'Network error. Please try again.'))
  expect(screen.getByRole('alert').textContent).toBe('The list could not be fetched.')
})
