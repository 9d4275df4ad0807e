import { expect, test } from 'vitest'
import { readOptions, serverUrlFrom } from './options.ts'

test('parses the documented command', () => {
  const args = ['--host-id', 'H000001', '--count', '200', '--minutes', '5']
  expect(readOptions(args, {})).toMatchObject({
    'host-id': 'H000001',
    count: 200,
    minutes: 5,
    seed: '1',
    server: 'http://127.0.0.1:3000',
    secrets: 'data/phone-secrets.jsonl',
  })
  expect(readOptions(args, { DATA_DIR: '/srv/parley' })).toMatchObject({ secrets: '/srv/parley/phone-secrets.jsonl' })
})

test.each([
  [['--count', '5'], '--host-id is missing: it takes a Host ID such as H000001'],
  [['--host-id', 'H1', '--count', 'many'], '--count is "many": it takes a whole number from 1 to 10000'],
  [['--host-id', 'H1', '--count', '0'], '--count is "0": it takes a whole number from 1 to 10000'],
  [['--host-id', 'H1', '--minutes', '-1'], /^--minutes|^Option '--minutes'/],
  [['--host-id', 'H1', '--server', 'here'], '--server is "here": it takes an address such as http://127.0.0.1:3000'],
  [['--host-id', 'H1', '--zoom', 'there'], '--zoom is "there": it takes an address such as http://localhost:3001'],
  [['--host-id', 'H1', '--scenario', 'party'], /^--scenario is "party": it takes talk, quiet-room/],
  [['--host-id', 'H1', '--host-username', 'ana'], '--host-username and --host-password go together'],
  [['--phones', '5'], /^Unknown option '--phones'/],
])('%j exits with one line', (args, line) => {
  expect(() => readOptions(args, {})).toThrow(line)
})

test.each([
  [{}, 'http://127.0.0.1:3000'],
  [{ PORT: '4000' }, 'http://127.0.0.1:4000'],
  [{ BIND: '0.0.0.0' }, 'http://127.0.0.1:3000'],
  [{ BIND: '::1', PORT: '80' }, 'http://[::1]:80'],
])('finds the server at the address in %j', (env, address) => {
  expect(serverUrlFrom(env)).toBe(address)
})
