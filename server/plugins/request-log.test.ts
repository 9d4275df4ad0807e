import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { call } from '../../test/factories.ts'
import { setup } from '../../test/setup.ts'
import { AppError } from '../errors.ts'

const lines: { level: number; msg: string; status?: number }[] = []
const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
const server = await setup({ log })

const DATABASE_GONE = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

test.each([
  ['a refusal for too many sign-ins at once is no error', new AppError('busy', 'Too many.'), 503, 30],
  ['a refusal for too many sign-ins is no error', new AppError('too_many', 'Too many.'), 429, 30],
  ['a database that is gone is an error', DATABASE_GONE, 503, 50],
  ['a fault is an error', new Error('A fault'), 500, 50],
])('%s', async (_what, error, status, level) => {
  vi.spyOn(server.deps.passwords, 'isRight').mockRejectedValueOnce(error)
  lines.length = 0
  const body = { username: 'H000001', password: 'a guess' }
  expect((await call(server, 'POST', '/auth/host/login', { body })).status).toBe(status)
  const logged = () => lines.filter(({ msg }) => msg === 'request')
  await expect.poll(logged).toMatchObject([{ status, level }])
})
