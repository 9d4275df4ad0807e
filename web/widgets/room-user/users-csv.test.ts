import { expect, test } from 'vitest'
import { listedUser } from '../../../test/factories/listed.ts'
import { usersCsv } from './users-csv.ts'

test('the CSV of users has no formulas and no passwords', () => {
  const users = [
    listedUser('a', { username: '=1+1', reference: 'Row 3, left', login_time: '2026-11-20T18:00:00.000Z' }),
  ]
  expect(usersCsv(users).split('\r\n')).toEqual([
    '\uFEFFuser_id,username,reference,status,is_active,is_online,login_time,last_seen,platform,device_model,app_version',
    'U-a,\'=1+1,"Row 3, left",Online,yes,yes,2026-11-20T18:00:00.000Z,,android,,',
    '',
  ])
})
