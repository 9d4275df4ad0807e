import { expect, test } from 'vitest'
import { listedHost } from '../../../../test/factories/listed.ts'
import { hostsCsv, hostsCsvName } from './hosts-csv.ts'

test('has a line for each host and a column for each field, empty if unknown', () => {
  const [head = '', line = ''] = hostsCsv([listedHost({ mobile: '+91 555', storage_used_gb: 1.5 })]).split('\r\n')
  const cells = line.split(',')
  expect(head.startsWith('\uFEFFhost_id,username,')).toBe(true)
  expect(head.split(',')).toHaveLength(cells.length)
  const row = Object.fromEntries(head.split(',').map((name, place) => [name, cells[place]]))
  expect(row).toMatchObject({
    username: 'asha',
    full_name: '',
    active: 'yes',
    subscription_end_date: '2027-02-21T12:00:00Z',
    storage_used_gb: '1.5',
    deleted_at: '',
  })
})

test('no name can be a formula', () => {
  const csv = hostsCsv([
    listedHost({ username: '=HYPERLINK("http://x")', room_name: '+1', mobile: '-1', full_name: '@SUM(A1)' }),
  ])
  expect(csv).toContain(`,"'=HYPERLINK(""http://x"")",'@SUM(A1),asha@example.com,'-1,'+1,`)
})

test('the file is named by its filter and day', () => {
  const now = Date.parse('2026-11-21T23:59:00Z')
  expect(hostsCsvName('all', now)).toBe('hosts-2026-11-21.csv')
  expect(hostsCsvName('expiring-7', now)).toBe('hosts-expiring-7-2026-11-21.csv')
})
