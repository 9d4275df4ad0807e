import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'

test('hides secrets by the names of their fields', () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  const secrets = {
    password: 's3cret',
    token: 's3cret',
    code: 's3cret',
    recovery_codes: ['s3cret'],
    challenge: 's3cret',
    uri: 's3cret',
    url: 's3cret',
    passkey: { id: 's3cret' },
  }
  log.info({ ...secrets, body: secrets }, 'call')
  expect(lines.pop()).not.toContain('s3cret')
})

test('shows the code of an error', () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => lines.push(line) })
  log.error({ err: Object.assign(new Error('The disk is full'), { code: 'ENOSPC' }) }, 'failed')
  expect(JSON.parse(lines.pop() ?? '{}').err).toMatchObject({ code: 'ENOSPC', message: 'The disk is full' })
})
