import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveState } from '../mobile.ts'
import { HEARTBEAT_MS } from '../room-events.ts'
import { random } from './backoff.ts'
import { CallFailure } from './call.ts'
import { createSchedule } from './schedule.ts'
import { type SpeakRequest, StatusCalls } from './status-calls.ts'

const quiet: LiveState = {
  is_muted: false,
  speaker_on: false,
  wants_to_speak: false,
  is_speaking: false,
  host_mute_all_active: false,
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Status calls that are each pending until the test answers them. */
function buildStatusCalls(isAwake?: () => boolean) {
  const sent: { body: unknown; answer: (state?: LiveState) => void; fail: (error: unknown) => void }[] = []
  const applied: LiveState[] = []
  const acknowledged: string[] = []
  const signedOut = vi.fn()
  const unsent: SpeakRequest[] = []
  const schedule = createSchedule()
  const calls = new StatusCalls({
    send: (body) =>
      new Promise((resolve, reject) => sent.push({ body, answer: (state = quiet) => resolve(state), fail: reject })),
    onAnswer: (state) => applied.push(state),
    onAcknowledged: ({ ids }) => acknowledged.push(...ids),
    onSignedOut: signedOut,
    onUnsent: (wishes) => unsent.push(wishes),
    isAwake,
    schedule,
    random,
  })
  const next = async () => {
    await vi.advanceTimersByTimeAsync(0)
    const held = sent.at(-1)
    if (!held) throw new Error('No call was sent')
    return held
  }
  return { calls, sent, applied, acknowledged, signedOut, unsent, next }
}

test('a status call without changes has an empty body', async () => {
  const { calls, next } = buildStatusCalls()
  void calls.report()
  expect((await next()).body).toBeUndefined()
})

test('every call of a phone that sleeps says so', async () => {
  const awake = vi.fn(() => false)
  const { calls, sent, next } = buildStatusCalls(awake)
  void calls.report({ audio: 'on' })
  const first = await next()
  expect(first.body).toEqual({ audio: 'on', awake: false })
  first.answer()
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect(sent[1]?.body).toEqual({ awake: false })
  sent[1]?.answer()
  awake.mockReturnValue(true)
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect([sent.length, sent[2]?.body]).toEqual([3, undefined])
})

test('combines changes and acknowledgements made during a call in the next one, each once', async () => {
  const { calls, sent, acknowledged, next } = buildStatusCalls()
  void calls.report({ speaker_on: true })
  const first = await next()
  void calls.report({ wants_to_speak: true })
  void calls.report({ wants_to_speak: false })
  calls.acknowledge('5')
  calls.acknowledge('6')
  calls.acknowledge('6')
  expect(sent).toHaveLength(1)
  first.answer()
  const second = await next()
  expect(second.body).toEqual({ wants_to_speak: false, acks: ['5', '6'] })
  second.answer()
  await next()
  expect(acknowledged).toEqual(['5', '6'])
})

test('ignores an answer that is older than a command received since', async () => {
  const { calls, applied, next } = buildStatusCalls()
  void calls.report({ is_speaking: true })
  const first = await next()
  calls.acknowledge('mute')
  first.answer({ ...quiet, is_speaking: true })
  const second = await next()
  expect(applied).toEqual([])
  second.answer({ ...quiet, is_muted: true })
  await next()
  expect(applied).toEqual([{ ...quiet, is_muted: true }])
})

test('acknowledges a command once it has taken effect, and ignores answers from before that', async () => {
  const { calls, sent, applied, next } = buildStatusCalls()
  const { promise: obeyed, resolve } = Promise.withResolvers<void>()
  void calls.report({ is_speaking: true })
  const first = await next()
  calls.acknowledge('mute', obeyed)
  first.answer({ ...quiet, is_speaking: true })
  await vi.advanceTimersByTimeAsync(1000)
  expect([sent.length, applied]).toEqual([1, []])
  resolve()
  const second = await next()
  expect(second.body).toEqual({ acks: ['mute'] })
  second.answer({ ...quiet, is_muted: true })
  await next()
  expect(applied).toContainEqual({ ...quiet, is_muted: true })
  expect(applied).not.toContainEqual({ ...quiet, is_speaking: true })
})

test('sends a heartbeat within the interval that the server asks for, again and again', async () => {
  const { calls, sent, next } = buildStatusCalls()
  void calls.report()
  ;(await next()).answer()
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect(sent).toHaveLength(2)
  ;(await next()).answer()
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect(sent).toHaveLength(3)
})

test('the next call carries what a failed call carried', async () => {
  const { calls, sent, acknowledged, next } = buildStatusCalls()
  calls.acknowledge('1')
  const lost = expect(calls.report({ speaker_on: true })).rejects.toThrow('no route')
  ;(await next()).fail(new Error('no route'))
  await lost
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect(sent[1]?.body).toEqual({ speaker_on: true, acks: ['1'] })
  sent[1]?.answer()
  await next()
  expect(acknowledged).toEqual(['1'])
})

test('leaves a busy server alone for as long as it asks', async () => {
  const { calls, sent, next } = buildStatusCalls()
  const refused = expect(calls.report()).rejects.toThrow('busy')
  ;(await next()).fail(new CallFailure(503, 'busy', { code: 'busy', retryAfterMs: 60_000 }))
  await refused
  await vi.advanceTimersByTimeAsync(59_000)
  expect(sent).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toHaveLength(2)
})

test('a token that the server rejects ends the calls', async () => {
  const { calls, signedOut, sent, next } = buildStatusCalls()
  const refused = expect(calls.report()).rejects.toThrow('Signed out')
  ;(await next()).fail(new CallFailure(401, 'Signed out', { code: 'not_signed_in', reason: 'stopped' }))
  await refused
  expect(signedOut.mock.calls).toEqual([['stopped']])
  await vi.advanceTimersByTimeAsync(10 * HEARTBEAT_MS)
  expect(sent).toHaveLength(1)
})

test('a phone without a network sends nothing, and later acknowledges commands but not old requests to speak', async () => {
  const { calls, sent, next } = buildStatusCalls()
  void calls.report()
  ;(await next()).answer()
  calls.pause()
  await expect(calls.report({ is_speaking: true })).rejects.toThrow('no network')
  calls.acknowledge('9')
  await vi.advanceTimersByTimeAsync(10 * HEARTBEAT_MS)
  expect(sent).toHaveLength(1)
  calls.resume()
  void calls.report()
  expect((await next()).body).toEqual({ acks: ['9'] })
})

test('a mute discards an unsent request to speak', async () => {
  const { calls, next } = buildStatusCalls()
  void calls.report()
  const first = await next()
  void calls.report({ is_speaking: true, speaker_on: true, wants_to_speak: true })
  calls.withdraw('is_speaking', 'speaker_on')
  first.answer()
  await vi.advanceTimersByTimeAsync(0)
  expect((await next()).body).toEqual({ wants_to_speak: true })
})

test('what the user wants of the host waits for a network, is sent once, and shows as unsent until then', async () => {
  const { calls, sent, unsent, next } = buildStatusCalls()
  calls.pause()
  await expect(calls.report({ wants_to_speak: true, audio: 'lost' })).rejects.toThrow('no network')
  await expect(calls.report({ declined: true, is_speaking: true })).rejects.toThrow('no network')
  expect(unsent.at(-1)).toEqual({ wants_to_speak: true, declined: true })
  calls.resume()
  void calls.report()
  const first = await next()
  expect(first.body).toEqual({ audio: 'lost' })
  const caughtUp = calls.catchUp()
  first.answer()
  const second = await next()
  expect(second.body).toBeUndefined()
  second.answer()
  const third = await next()
  expect(third.body).toEqual({ wants_to_speak: true, declined: true })
  third.answer()
  await caughtUp
  expect(unsent.at(-1)).toEqual({})
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect([sent.length, sent[3]?.body]).toEqual([4, undefined])
})

test('what the user wants of the host outlives a call that is cut off, and goes with a heartbeat without a stream', async () => {
  const { calls, sent, unsent, next } = buildStatusCalls()
  const lost = expect(calls.report({ wants_to_speak: true })).rejects.toThrow('cut')
  const cut = await next()
  calls.pause()
  cut.fail(new Error('cut'))
  await lost
  expect(unsent).toEqual([{ wants_to_speak: true }])
  calls.resume()
  void calls.report()
  ;(await next()).answer()
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
  expect(sent.map(({ body }) => body)).toEqual([{ wants_to_speak: true }, undefined, { wants_to_speak: true }])
})

test('the newest wish counts, and none that a command has overtaken', async () => {
  const { calls, unsent, next } = buildStatusCalls()
  calls.pause()
  await expect(calls.report({ wants_to_speak: true, declined: true })).rejects.toThrow('no network')
  await expect(calls.report({ wants_to_speak: false })).rejects.toThrow('no network')
  expect(unsent.at(-1)).toEqual({ declined: true, wants_to_speak: false })
  calls.withdraw('declined')
  expect(unsent.at(-1)).toEqual({ wants_to_speak: false })
  calls.settleHand(true)
  calls.resume()
  const failed = expect(calls.catchUp()).rejects.toThrow('no route')
  ;(await next()).answer()
  const second = await next()
  expect(second.body).toEqual({ wants_to_speak: false })
  calls.withdraw('wants_to_speak')
  second.fail(new Error('no route'))
  await failed
  expect(unsent.at(-1)).toEqual({})
})
