import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { downloadFile, saveCsv } from './download.ts'
import { clearSession, setSignedIn } from './session/session.ts'

const saved: string[] = []

beforeEach(() => {
  saved.length = 0
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  vi.stubGlobal('document', {
    createElement: () => ({
      click(this: { download: string }) {
        saved.push(this.download)
      },
    }),
  })
  vi.stubGlobal('URL', { createObjectURL: () => 'blob:0', revokeObjectURL() {} })
  setSignedIn('token-1', { id: 'h1', username: 'asha' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  clearSession({ left: true })
})

const file = () => new Response('a', { headers: { 'content-disposition': 'attachment; filename="stays.csv"' } })

test('a double click saves one file of the page, and a later press another', () => {
  saveCsv('users.csv', 'a')
  vi.advanceTimersByTime(499)
  saveCsv('users.csv', 'b')
  expect(saved).toEqual(['users.csv'])
  vi.advanceTimersByTime(1)
  saveCsv('users.csv', 'b')
  saveCsv('logins.csv', 'c')
  expect(saved).toEqual(['users.csv', 'users.csv', 'logins.csv'])
})

test('a double click fetches one file of the server, and one that failed is fetched again at once', async () => {
  const fetched = vi.fn(async () => file())
  vi.stubGlobal('fetch', fetched)
  await downloadFile('/stays')
  await downloadFile('/stays')
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(saved).toEqual(['stays.csv'])

  fetched.mockResolvedValueOnce(Response.json({}, { status: 503 }))
  await expect(downloadFile('/audit')).rejects.toMatchObject({ status: 503 })
  await downloadFile('/audit')
  expect(saved).toEqual(['stays.csv', 'stays.csv'])
})
