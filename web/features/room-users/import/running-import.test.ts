import { afterEach, expect, test, vi } from 'vitest'
import { clearImportMark, findInterruptedImport, saveImportProgress, withImportLock } from './running-import.ts'

afterEach(() => {
  clearImportMark()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('an import runs where the browser blocks site data, and counts as cut off once it has long been silent', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const deny = async () => {
    throw new DOMException('The operation is insecure', 'SecurityError')
  }
  vi.stubGlobal('navigator', { locks: { query: deny, request: deny } })
  vi.stubGlobal('localStorage', undefined) // every use throws
  expect(await withImportLock(async () => 'done')).toBe('done')
  saveImportProgress({ started_at: Date.now(), added: 50, total: 51 })
  expect(await findInterruptedImport()).toBeNull()
  vi.setSystemTime(Date.now() + 36_000)
  expect(await findInterruptedImport()).toMatchObject({ added: 50, total: 51 })
})
