import dns from 'node:dns'
import { beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { openUpstream } from '../features/recordings/upstream.ts'
import { isPrivate, publicLookup } from './public-lookup.ts'

const answers: { address: string; family: number }[] = []
let names: string[] = []

beforeEach(() => {
  names = []
  answers.length = 0
  vi.spyOn(dns, 'lookup').mockImplementation(((
    name: string,
    _options: unknown,
    answer: (...all: unknown[]) => void,
  ) => {
    names.push(name)
    answer(null, [...answers])
  }) as typeof dns.lookup)
})

test.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0', '100.64.0.1'])(
  '%s is private',
  (address) => {
    expect(isPrivate(address)).toBe(true)
    expect(isPrivate(`::ffff:${address}`)).toBe(true)
  },
)
test.each(['::1', '::', 'fe80::1', 'fd00::1', 'ff02::1'])('%s is private', (address) => {
  expect(isPrivate(address)).toBe(true)
})
test.each(['170.114.52.2', '172.32.0.1', '2407:30c0::1', '64:ff9b::aa72:3402'])('%s is public', (address) => {
  expect(isPrivate(address)).toBe(false)
})

const lookUp = (options: object) =>
  new Promise((resolve) => publicLookup('zoom.us', options, (error, ...found) => resolve(error ?? found)))

test("passes a lookup's result on unchanged", async () => {
  answers.push({ address: '170.114.52.2', family: 4 })
  expect(await lookUp({ all: true })).toEqual([[{ address: '170.114.52.2', family: 4 }]])
  expect(await lookUp({})).toEqual(['170.114.52.2', 4])
})

test('does not connect to a name of Zoom’s with a private address, even if another address is public', async () => {
  answers.push({ address: '170.114.52.2', family: 4 }, { address: '127.0.0.1', family: 4 })
  const asked = { token: 'token', range: undefined, signal: AbortSignal.timeout(5000) }
  const opening = openUpstream(
    readConfig({ SECRET_KEY: '0123456789abcdef0123456789abcdef' }),
    'https://us04web.zoom.us/rec/x',
    asked,
  )
  await expect(opening).rejects.toMatchObject({
    cause: { message: 'us04web.zoom.us has a private address: 127.0.0.1' },
  })
  expect(names).toEqual(['us04web.zoom.us'])
})
