import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { MOVED_GUARD_MS, useClickGuard } from './use-click-guard.ts'

test('a click is ignored right after the layout has changed, though the order has not', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const ids = ['a', 'b']
  const guard = renderHook(({ layout }) => useClickGuard(ids, layout), { initialProps: { layout: 'comfortable' } })
  const click = () => guard.result.current('a', { detail: 1 })
  now.mockReturnValue(1000)
  expect(click()).toBe(true)
  guard.rerender({ layout: 'compact' })
  expect(click()).toBe(false)
  now.mockReturnValue(1000 + MOVED_GUARD_MS)
  expect(click()).toBe(true)
  now.mockRestore()
})
