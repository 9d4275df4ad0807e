import { describe, expect, test } from 'vitest'
import {
  applyFlagEvent,
  applyPolledFlag,
  confirmOptimistic,
  type HostMuteAll,
  initialFlag,
  rollback,
  setOptimistic,
} from './host-mute-all.ts'

type Step = (flag: HostMuteAll) => HostMuteAll
const press =
  (active: boolean): Step =>
  (flag) =>
    setOptimistic(flag, active)
const confirm =
  (now: number): Step =>
  (flag) =>
    confirmOptimistic(flag, now)
const refuse =
  (now: number): Step =>
  (flag) =>
    rollback(flag, now)
const event =
  (active: boolean, now: number): Step =>
  (flag) =>
    applyFlagEvent(flag, active, now)
const api =
  (active: boolean, requestedAt: number, now = requestedAt + 20): Step =>
  (flag) =>
    applyPolledFlag(flag, active, requestedAt, now)

describe('the host-mute-all flag', () => {
  test.each<[string, Step[], boolean]>([
    ['follows the API', [api(true, 0)], true],
    ['shows a press at once', [press(true)], true],
    ['keeps a press while its call is under way', [press(true), api(false, 10)], true],
    ['keeps a press that was answered', [press(true), confirm(100)], true],
    ['goes back when the call fails', [press(true), refuse(100)], false],
    ['goes back to on when Unmute All fails', [api(true, 0), press(false), refuse(100)], true],
    ['goes back to where it was before two presses', [press(true), press(false), refuse(100)], false],
    ['ignores a poll that left before the answer', [press(true), confirm(100), api(false, 90, 130)], true],
    ['believes a poll that left after the answer', [press(true), confirm(100), api(false, 110)], false],
    ['follows an event', [event(true, 0)], true],
    ['ignores the API for 2 s after an event', [event(true, 0), api(false, 1979, 1999)], true],
    ['believes the API 2 s after an event', [event(true, 0), api(false, 1990, 2000)], false],
    ['lets an event win over a press', [press(true), event(false, 10), confirm(20)], false],
    ['does not go back over an event', [press(true), event(true, 10), refuse(20)], true],
  ])('%s', (_, steps, active) => {
    expect(steps.reduce((flag, step) => step(flag), initialFlag).active).toBe(active)
  })
})
