import { expect, test } from 'vitest'
import { DEMO_HELP, readOptions } from './options.ts'

test('starts several servers only where --nodes says so', () => {
  expect(readOptions([])).toEqual({ nodes: undefined })
  expect(readOptions(['--nodes', '3'])).toEqual({ nodes: 3 })
})

test.each(['0', '10', 'many', '2.5', ''])('refuses --nodes "%s"', (nodes) => {
  expect(() => readOptions(['--nodes', nodes])).toThrow(
    `--nodes is "${nodes}": it takes a number of servers from 1 to 9`,
  )
})

test('tells the options where they are asked for', () => {
  expect(readOptions(['--help'])).toBe('help')
  expect(DEMO_HELP).toMatch(/^ {2}--nodes .*1 to 9/m)
})
