import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'

afterEach(() => vi.unstubAllGlobals())

test('a text that fails while the browser refuses the clipboard is one failure', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const write = () => Promise.reject(new Error('Not allowed'))
  vi.stubGlobal('ClipboardItem', class {})
  vi.stubGlobal('navigator', { clipboard: { write } })
  await expect(copyText(Promise.reject(new Error('No answer')))).rejects.toThrow('Not allowed')
  await new Promise(setImmediate)
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
