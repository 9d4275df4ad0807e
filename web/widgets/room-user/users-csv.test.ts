import { expect, test } from 'vitest'
import { listedUser } from '../../../test/factories/listed.ts'
import { usersCsv } from './users-csv.ts'

test('the CSV of users has no formulas and no passwords', () => {
  const users = [
    listedUser('a', {
      username: '=1+1',
      reference: 'Row 3, left',
      group_ids: ['g2', 'g1', 'gone'],
      login_time: '2026-11-20T18:00:00.000Z',
    }),
  ]
  const groups = [
    { id: 'g1', name: 'Altos', colour: 'red' as const },
    { id: 'g2', name: 'Readers', colour: 'blue' as const },
  ]
  expect(usersCsv(users, groups).split('\r\n')).toEqual([
    '\uFEFFuser_id,username,reference,groups,status,is_active,is_online,login_time,last_seen,platform,device_model,app_version',
    'U-a,\'=1+1,"Row 3, left",Altos; Readers,Online,yes,yes,2026-11-20T18:00:00.000Z,,android,,',
    '',
  ])
})
