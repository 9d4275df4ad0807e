import { expect, test } from 'vitest'
import { ConsoleRecord } from './console-record.ts'
import { History } from './history.ts'

test('an acknowledged write that was followed by none is the only end', () => {
  const history = new History(false)
  history.begin(true)()
  expect([history.mayEndWith(true), history.mayEndWith(false)]).toEqual([true, false])
  history.begin(false)()
  expect([history.mayEndWith(true), history.mayEndWith(false)]).toEqual([false, true])
})

test('writes at the same time may end in any order, and one without an answer may be done or not', () => {
  const history = new History(false)
  const [first, second] = [history.begin(true), history.begin(false)]
  first()
  second()
  expect([history.mayEndWith(true), history.mayEndWith(false)]).toEqual([true, true])
  history.begin(true)()
  history.begin(false)
  expect([history.mayEndWith(true), history.mayEndWith(false)]).toEqual([true, true])
})

test('a console sees an event that is missing, comes twice or comes late', () => {
  const faultsOf = (...streams: string[][]) => {
    const record = new ConsoleRecord()
    for (const [greeting = '', ...ids] of streams) {
      record.open(greeting)
      for (const id of ids) record.receive(id)
    }
    return record.faults
  }
  expect(faultsOf(['e-4', 'e-4', 'e-5', 'e-6'], ['e-6', 'e-7'], ['f-0', 'f-0', 'f-1'], ['f-9', 'f-9', 'f-10'])).toEqual(
    [],
  )
  expect(faultsOf(['e-4', 'e-6'])).toEqual(['e-6 follows e-4'])
  expect(faultsOf(['e-4', 'e-5', 'e-5'])).toEqual(['e-5 follows e-5'])
  expect(faultsOf(['e-4', 'e-5'], ['e-4', 'e-5'])).toEqual(['a stream begins with e-4 after e-5'])
})
