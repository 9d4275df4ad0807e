import { expect, test } from 'vitest'
import { findPlaintextConnections } from './plaintext-connections.ts'

test.each([
  'postgresql://p:x@db.internal/parley',
  'postgres://p:x@db.internal:5432/parley?sslmode=prefer',
  'postgres://p:x@db.internal/parley?sslmode=disable',
])('%s goes to another machine in the clear', (DATABASE_URL) => {
  expect(findPlaintextConnections({ DATABASE_URL })).toEqual([{ setting: 'DATABASE_URL', hosts: ['db.internal'] }])
})

test.each([
  'postgres://p:x@localhost/parley',
  'postgres://p:x@127.0.0.1:5433/parley',
  'postgres://p:x@[::1]/parley',
  'postgres:///parley?host=/var/run/postgresql',
  'postgres://p:x@db.internal/parley?sslmode=verify-full',
  'postgres://p:x@db.internal/parley?ssl=true',
])('%s does not', (DATABASE_URL) => {
  expect(findPlaintextConnections({ DATABASE_URL })).toEqual([])
})

test.each([
  ['redis://10.0.0.5:6379', ['10.0.0.5']],
  ['redis+sentinel://a.internal:26379,localhost:26379/name', ['a.internal']],
  ['redis+cluster://a.internal:6379,b.internal:6379', ['a.internal', 'b.internal']],
  ['rediss://10.0.0.5:6379', null],
  ['rediss+cluster://a.internal:6379', null],
  ['redis://localhost:6379', null],
])('%s goes in the clear to %j', (REDIS_URL, hosts) => {
  expect(findPlaintextConnections({ REDIS_URL })).toEqual(hosts ? [{ setting: 'REDIS_URL', hosts }] : [])
})
