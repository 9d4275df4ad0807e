import { expect, test, vi } from 'vitest'
import { once, withKeptKey } from './once.ts'

const counted = () => {
  const send = vi.fn(async (_key?: string) => Response.json({ n: send.mock.calls.length }))
  return send
}
const numberIn = async (response: Response) => (await response.json()).n

test('sends an act once while it is under way, and for the second press of a double click', async () => {
  const send = counted()
  const answers = await Promise.all([once('extend', send), once('extend', send)])
  const late = await once('extend', send)
  expect(await Promise.all([...answers, late].map(numberIn))).toEqual([1, 1, 1])
})

test('sends an act again after a double click, after another act, and after a failure', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const mute = counted()
  await once('mute', mute)
  await once('unmute', counted())
  expect(await numberIn(await once('mute', mute))).toBe(2)
  now.mockReturnValue(501)
  expect(await numberIn(await once('mute', mute))).toBe(3)

  const failing = vi.fn(async () => Response.json({}, { status: 500 }))
  await once('refused', failing)
  await once('refused', failing)
  expect(failing).toHaveBeenCalledTimes(2)
  now.mockRestore()
})

test('sends an act again that may be repeated, once the first is done', async () => {
  const send = counted()
  const both = await Promise.all([once('unmute', send, 0), once('unmute', send, 0)])
  expect(await Promise.all(both.map(numberIn))).toEqual([1, 1])
  expect(await numberIn(await once('unmute', send))).toBe(2) // not the first answer, which was not kept
})

test('a repeat of what got no answer bears the same key, and one of what was answered another', async () => {
  let last = 0
  const key = () => String(++last)
  const send = counted()
  const lost = async () => Promise.reject(new Error('No answer'))
  const lostBehindProxy = vi.fn(async (_key: string) => new Response('Bad gateway', { status: 502 }))
  await expect(withKeptKey('add', key, lost)).rejects.toThrow('No answer')
  await withKeptKey('add', key, lostBehindProxy)
  await withKeptKey('add', key, send)
  await withKeptKey('add', key, send)
  expect([lostBehindProxy.mock.calls, send.mock.calls]).toEqual([[['1']], [['1'], ['2']]])
})
