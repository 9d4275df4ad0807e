import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { useStored } from './use-stored.ts'

const Names = z.array(z.string())
const NONE: string[] = []
const useNames = () => useStored('names', Names, NONE)

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

test('a choice lasts for the page where the browser blocks site data', () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const)
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('Blocked', 'SecurityError')
    })
  const first = renderHook(useNames)
  const other = renderHook(useNames)
  act(() => first.result.current[1](['amina']))
  expect(other.result.current[0]).toEqual(['amina'])
  first.unmount()
  other.unmount()
  expect(renderHook(useNames).result.current[0]).toEqual(['amina'])
})

test('what is stored is read if it has the form of a choice', () => {
  localStorage.setItem('names', '["ben"]')
  const { result, rerender } = renderHook(useNames)
  act(() => result.current[1](['chen']))
  expect(localStorage.getItem('names')).toBe('["chen"]')
  localStorage.setItem('names', '{"not": "a list"}')
  act(() => void window.dispatchEvent(new StorageEvent('storage')))
  rerender()
  expect(result.current[0]).toBe(NONE)
})
