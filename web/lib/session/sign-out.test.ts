import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentSession, setSignedIn } from './session.ts'
import { beforeSignOut, signOut } from './sign-out.ts'

const user = { id: 'h1', role: 'host', username: 'asha', full_name: null } as const
const calls: string[] = []
let withdraw = () => {}

beforeEach(() => {
  calls.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async (address: string) => {
    calls.push(address)
    return Response.json({ success: true, message: 'Done' })
  })
  setSignedIn('token-1', user)
})
afterEach(() => {
  withdraw()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const say = (leave: () => Promise<void>, mayLeave = async () => true) => {
  withdraw = beforeSignOut({ mayLeave, leave })
}

test('ends the session in this tab immediately, and then at the server', async () => {
  const left = signOut()
  expect(currentSession()).toMatchObject({ status: 'signed-out', left: true })
  expect(await left).toBe(true)
  expect(calls).toEqual(['/api/auth/host/logout'])
})

test('gives back first what the page holds, with the session, and once for two presses', async () => {
  const given = Promise.withResolvers<void>()
  const leave = vi.fn(() => given.promise)
  say(leave)
  const presses = [signOut(), signOut()]
  await vi.advanceTimersByTimeAsync(1_000)
  expect([currentSession().token, calls]).toEqual(['token-1', []])
  given.resolve()
  expect(await Promise.all(presses)).toEqual([true, true])
  expect([currentSession().token, leave.mock.calls.length, calls.length]).toEqual([null, 1, 1])
})

test.each([
  ['does not end', () => new Promise<void>(() => {})],
  ['fails', () => Promise.reject(new Error('No'))],
])('waits two seconds at most, and is not held up by what %s', async (_, leave) => {
  say(leave)
  const left = signOut()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await left).toBe(true)
  expect(currentSession().token).toBeNull()
})

test('leaves everything as it is if the person stays, and asks again the next time', async () => {
  const leave = vi.fn(async () => {})
  const answers = [false, true]
  say(leave, async () => answers.shift() ?? false)
  expect(await signOut()).toBe(false)
  expect([currentSession().token, leave.mock.calls.length, calls]).toEqual(['token-1', 0, []])
  expect(await signOut()).toBe(true)
})

test('does not end the session of somebody who has signed in meanwhile', async () => {
  say(async () => setSignedIn('token-2', user))
  expect(await signOut()).toBe(false)
  expect([currentSession().token, calls]).toEqual(['token-2', []])
})
