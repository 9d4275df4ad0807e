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

test('the second click of a double click is ignored for as long as a slow double click takes', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const guard = renderHook(({ ids }) => useClickGuard(ids), { initialProps: { ids: ['mute'] } })
  now.mockReturnValue(1000)
  guard.rerender({ ids: ['unmute'] })
  const click = (detail: number) => guard.result.current('unmute', { detail })
  now.mockReturnValue(1899)
  expect([click(2), click(1)]).toEqual([false, true])
  now.mockReturnValue(1900)
  expect(click(2)).toBe(true)
  now.mockRestore()
})
