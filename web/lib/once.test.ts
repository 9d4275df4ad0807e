import { expect, test, vi } from 'vitest'
import { sendOnce, withIdempotencyKey } from './once.ts'

const counted = () => {
  const send = vi.fn(async (_key?: string) => Response.json({ n: send.mock.calls.length }))
  return send
}
const numberIn = async (response: Response) => (await response.json()).n

test('sends an action once while it is under way, and for the second press of a double click', async () => {
  const send = counted()
  const answers = await Promise.all([sendOnce('extend', send), sendOnce('extend', send)])
  const late = await sendOnce('extend', send)
  expect(await Promise.all([...answers, late].map(numberIn))).toEqual([1, 1, 1])
})

test('sends an action again after a double click, after another action, and after a failure', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const mute = counted()
  await sendOnce('mute', mute)
  await sendOnce('unmute', counted())
  expect(await numberIn(await sendOnce('mute', mute))).toBe(2)
  now.mockReturnValue(501)
  expect(await numberIn(await sendOnce('mute', mute))).toBe(3)

  const failing = vi.fn(async () => Response.json({}, { status: 500 }))
  await sendOnce('refused', failing)
  await sendOnce('refused', failing)
  expect(failing).toHaveBeenCalledTimes(2)
  now.mockRestore()
})

test('sends an action again that may be repeated, once the first is done', async () => {
  const send = counted()
  const both = await Promise.all([sendOnce('unmute', send, 0), sendOnce('unmute', send, 0)])
  expect(await Promise.all(both.map(numberIn))).toEqual([1, 1])
  expect(await numberIn(await sendOnce('unmute', send))).toBe(2) // not the first answer, which was not kept
})

test('a repeat of an unanswered call has the same key, and one of an answered call has another', async () => {
  let last = 0
  const key = () => String(++last)
  const send = counted()
  const lost = async () => Promise.reject(new Error('No answer'))
  const lostBehindProxy = vi.fn(async (_key: string) => new Response('Bad gateway', { status: 502 }))
  await expect(withIdempotencyKey('add', key, lost)).rejects.toThrow('No answer')
  await withIdempotencyKey('add', key, lostBehindProxy)
  await withIdempotencyKey('add', key, send)
  await withIdempotencyKey('add', key, send)
  expect([lostBehindProxy.mock.calls, send.mock.calls]).toEqual([[['1']], [['1'], ['2']]])
})
