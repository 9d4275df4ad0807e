import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useShortcutsSetting } from '../controls/RoomKeys.tsx'
import { type Density, useDensity } from './density.ts'

const KEY = 'parley.online-density'
beforeEach(() => localStorage.removeItem(KEY))
afterEach(() => void vi.restoreAllMocks())

const openRoom = (online: number) => renderHook(({ count }) => useDensity(count), { initialProps: { count: online } })
const densityOf = ({ result }: ReturnType<typeof openRoom>) => result.current[0]

test('a room of more than 60 users is compact, and stays so while users leave', () => {
  const room = openRoom(60)
  expect(densityOf(room)).toBe('comfortable')
  room.rerender({ count: 61 })
  expect(densityOf(room)).toBe('compact')
  room.rerender({ count: 12 })
  expect(densityOf(room)).toBe('compact')
})

test.each<Density>(['comfortable', 'list'])('what the host has chosen is kept in a large room: %s', (density) => {
  const room = openRoom(500)
  act(() => room.result.current[1](density))
  expect(densityOf(room)).toBe(density)
  room.unmount()
  expect(densityOf(openRoom(500))).toBe(density)
})

test('what the browser has kept and is none of these counts as no choice', () => {
  localStorage.setItem(KEY, '"huge"')
  expect(densityOf(openRoom(5))).toBe('comfortable')
  expect(densityOf(openRoom(500))).toBe('compact')
})

test('what the host chooses lasts for the visit where the browser blocks site data, without a warning', () => {
  const warnings = vi.spyOn(console, 'warn').mockReturnValue()
  for (const method of ['getItem', 'setItem', 'removeItem'] as const)
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('Blocked', 'SecurityError')
    })
  const room = openRoom(5)
  const keys = renderHook(useShortcutsSetting)
  act(() => {
    room.result.current[1]('list')
    keys.result.current[1](false)
  })
  room.unmount()
  keys.unmount()
  expect(densityOf(openRoom(5))).toBe('list')
  expect(renderHook(useShortcutsSetting).result.current[0]).toBe(false)
  expect(warnings).not.toHaveBeenCalled()
})
