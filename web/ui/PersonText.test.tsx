import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { PersonText } from './PersonText.tsx'

test.each([
  ['a name that is cut', 120, 'محمد عبد الرحمن الخطيب'],
  ['a name that fits', 80, ''],
])('the pointer shows all of %s', async (_what, width, title) => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(80)
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(width)
  render(<PersonText text="محمد عبد الرحمن الخطيب" />)
  const name = screen.getByText('محمد عبد الرحمن الخطيب')
  expect(name.dir).toBe('auto')
  await userEvent.hover(name)
  expect(name.title).toBe(title)
  vi.restoreAllMocks()
})
