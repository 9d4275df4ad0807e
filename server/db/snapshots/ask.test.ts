import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { askAt } from './ask.ts'

function terminal() {
  return Object.assign(new PassThrough(), { isTTY: true })
}

test.each([
  ['y\n', true],
  ['YES\n', true],
  ['n\n', false],
  ['\n', false],
  ['yellow\n', false],
])('the answer %j is taken as %s', async (typed, isYes) => {
  const input = terminal()
  const output = new PassThrough()
  const answer = askAt(input, output)?.('Restore? ')
  input.write(typed)
  expect(await answer).toBe(isYes)
  expect(String(output.read())).toContain('Restore? ')
})

test('a closed terminal is a no', async () => {
  const input = terminal()
  const answer = askAt(input, new PassThrough())?.('Restore? ')
  input.end()
  expect(await answer).toBe(false)
})

test('nobody is asked where there is no terminal', () => {
  expect(askAt(new PassThrough(), new PassThrough())).toBeNull()
})
