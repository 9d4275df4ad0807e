import { describe, expect, test, vi } from 'vitest'
import { sendOnce, withIdempotencyKey } from './once.ts'

const counted = () => {
  const send = vi.fn(async () => Response.json({ n: send.mock.calls.length }))
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

test('shares a running action for as long as it says', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const held = Promise.withResolvers<Response>()
  const first = sendOnce('mute', () => held.promise, 0, 500)
  const send = counted()
  now.mockReturnValue(499)
  const doubleClick = sendOnce('mute', send, 0, 500)
  now.mockReturnValue(500)
  expect(await numberIn(await sendOnce('mute', send, 0, 500))).toBe(1)
  held.resolve(Response.json({ n: 0 }))
  expect(await Promise.all([first, doubleClick].map(async (answer) => numberIn(await answer)))).toEqual([0, 0])
  now.mockRestore()
})

test('sends an action again that may be repeated, once the first is done', async () => {
  const send = counted()
  const both = await Promise.all([sendOnce('unmute', send, 0), sendOnce('unmute', send, 0)])
  expect(await Promise.all(both.map(numberIn))).toEqual([1, 1])
  expect(await numberIn(await sendOnce('unmute', send))).toBe(2) // not the first answer, which was not kept
})

describe('an unanswered action', () => {
  let last = 0
  const send = async (action: string, outcome: 'answered' | 'lost' | 'lost behind a proxy') => {
    let sent = ''
    const request = async (key: string) => {
      sent = key
      if (outcome === 'lost') throw new Error('No answer')
      return new Response('', { status: outcome === 'answered' ? 200 : 502 })
    }
    await sendOnce(action, () => withIdempotencyKey(action, () => String(++last), request), 0).catch(() => {})
    return sent
  }

  test('keeps its idempotency key until there is an answer', async () => {
    const first = await send('add', 'lost')
    expect(await send('add', 'lost behind a proxy')).toBe(first)
    expect(await send('add', 'answered')).toBe(first)
    expect(await send('add', 'answered')).not.toBe(first)
  })

  test.each(['answered', 'lost'] as const)('has another key after another action, which was %s', async (outcome) => {
    const first = await send('change', 'lost')
    await send('change back', outcome)
    expect(await send('change', 'answered')).not.toBe(first)
  })

  test('keeps its key although another action was answered while it was running', async () => {
    let lose = (_: Error) => {}
    const keys: string[] = []
    const slow = sendOnce('slow', () =>
      withIdempotencyKey(
        'slow',
        () => String(++last),
        (key) => {
          keys.push(key)
          return new Promise<Response>((_, reject) => (lose = reject))
        },
      ),
    )
    await send('other', 'answered')
    lose(new Error('No answer'))
    await slow.catch(() => {})
    expect(await send('slow', 'answered')).toBe(keys[0])
  })

  test('has another key minutes later', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(0)
    const first = await send('add', 'lost')
    now.mockReturnValue(299_999)
    expect(await send('add', 'lost')).toBe(first)
    now.mockReturnValue(600_000)
    expect(await send('add', 'answered')).not.toBe(first)
    now.mockRestore()
  })
})
