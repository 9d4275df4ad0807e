import { describe, expect, test } from 'vitest'
import { ConsoleRecord } from './console-record.ts'
import { History, wrongForMs } from './history.ts'

/** Builds sequential writes and reads of one ms each, unless times are given. */
function historyOf(
  ...calls: (['write' | 'lost write' | 'refused write' | 'read', boolean] | [string, boolean, number, number])[]
) {
  const history = new History(false)
  for (const [index, [what, value, began = 2 * index, ended = began + 1]] of calls.entries()) {
    if (what === 'read') history.read(value, began, ended)
    else {
      const write = history.begin(value, began)
      if (what === 'write') write.acknowledge(ended)
      if (what === 'refused write') write.refuse()
    }
  }
  history.expire(100)
  return history
}

const isExplained = (...calls: Parameters<typeof historyOf>) => historyOf(...calls).findUnexplained() === null

describe('the end', () => {
  const ends = (history: History) => [true, false].filter((value) => history.mayEndWith(value))

  test('is an acknowledged write that was followed by none', () => {
    expect(ends(historyOf(['write', true]))).toEqual([true])
    expect(ends(historyOf(['write', true], ['write', false]))).toEqual([false])
  })

  test('is one of the writes at the same time, and one without an answer may be done or not', () => {
    expect(ends(historyOf(['write', true, 0, 3], ['write', false, 1, 2]))).toEqual([true, false])
    expect(ends(historyOf(['write', true], ['lost write', false]))).toEqual([true, false])
  })
})

describe('an order explains', () => {
  test('reads of what was written last, and of either value during a write', () => {
    expect(isExplained(['read', false], ['write', true], ['read', true], ['write', false], ['read', false])).toBe(true)
    expect(isExplained(['write', true, 0, 9], ['read', false, 1, 2], ['read', true, 3, 4])).toBe(true)
  })

  test('writes at the same time in the order that later reads show', () => {
    const writes: Parameters<typeof historyOf> = [
      ['write', true, 0, 9],
      ['write', false, 1, 8],
      ['write', true, 2, 7],
    ]
    expect(isExplained(...writes, ['read', false, 3, 4], ['read', true, 5, 6], ['read', false, 10, 11])).toBe(true)
  })

  test('a write without an answer that is done late or never, and once at most', () => {
    expect(isExplained(['lost write', true], ['read', false], ['read', true])).toBe(true)
    expect(isExplained(['lost write', true], ['read', false], ['write', false], ['read', false])).toBe(true)
    expect(isExplained(['lost write', true], ['read', true], ['write', false], ['read', true])).toBe(false)
    expect(isExplained(['lost write', true, 0, 0], ['read', true, 101, 102])).toBe(false)
  })
})

describe('a planted fault is found:', () => {
  test('a lost append', () => {
    expect(historyOf(['write', true]).mayEndWith(false)).toBe(false)
    expect(isExplained(['write', true], ['read', false])).toBe(false)
  })

  test('a stale read, although the value is right again', () => {
    expect(isExplained(['write', true], ['read', true], ['read', false], ['read', true])).toBe(false)
    expect(isExplained(['write', true, 0, 9], ['read', true, 1, 2], ['read', false, 3, 4])).toBe(false)
  })

  test('a write that takes effect after it was refused', () => {
    expect(isExplained(['refused write', true], ['read', true])).toBe(false)
    expect(isExplained(['refused write', true], ['read', false])).toBe(true)
  })

  test('a console sees an event that is missing, comes twice or comes late', () => {
    const faultsOf = (...streams: string[][]) => {
      const record = new ConsoleRecord()
      for (const ids of streams) record.follow(ids)
      return record.faults
    }
    const good = [
      ['e-4', 'e-4', 'e-5', 'e-6'],
      ['e-6', 'e-7'],
      ['f-0', 'f-0', 'f-1'],
      ['f-9', 'f-9', 'f-10'],
    ]
    expect(faultsOf(...good)).toEqual([])
    expect(faultsOf(['e-4', 'e-6'])).toEqual(['e-6 follows e-4'])
    expect(faultsOf(['e-4', 'e-5', 'e-5'])).toEqual(['e-5 follows e-5'])
    expect(faultsOf(['e-4', 'e-5'], ['e-4', 'e-5'])).toEqual(['a stream begins with e-4 after e-5'])
  })
})

describe('what is shown', () => {
  const history = historyOf(['write', true, 0, 10], ['write', false, 20, 30])
  const other = historyOf(['write', true, 40, 50])
  const wrongFor = (began: number, ...values: boolean[]) => {
    const periods = [history, other].flatMap((one, index) => {
      const value = values[index]
      return value === undefined ? [] : [one.periodsOf(value)]
    })
    return wrongForMs(periods, began, began + 1)
  }

  test('is wrong from the moment at which a later write was acknowledged', () => {
    expect([false, true].map((value) => wrongFor(15, value))).toEqual([5, 0])
    expect([false, true].map((value) => wrongFor(25, value))).toEqual([0, 0])
    expect([false, true].map((value) => wrongFor(75, value))).toEqual([0, 45])
  })

  test('is judged as a whole, since each part of an old state may be right by chance', () => {
    expect(wrongFor(75, false, false)).toBe(25)
    expect(wrongFor(75, true, false)).toBe(45)
    expect(wrongFor(75, true, true)).toBe(Number.POSITIVE_INFINITY)
  })
})
