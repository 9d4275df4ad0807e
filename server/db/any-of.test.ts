import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/servers/database.ts'
import { anyOf } from './any-of.ts'

test('matches the rows of a list, and none of an empty one', async () => {
  const db = await freshDatabase()
  const insert = (email: string) =>
    db
      .insertInto('masters')
      .values({ email, email_key: email, password_hash: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
  const { id } = await insert('a, "quoted" {one}')
  await insert('another')
  const found = (condition: ReturnType<typeof anyOf>, column: 'id' | 'email') =>
    db.selectFrom('masters').select('email').where(column, '=', condition).execute()
  const one = [{ email: 'a, "quoted" {one}' }]
  expect(await found(anyOf([id]), 'id')).toEqual(one)
  expect(await found(anyOf(['a, "quoted" {one}', 'nobody'], 'text'), 'email')).toEqual(one)
  expect(await found(anyOf([]), 'id')).toEqual([])
  expect(await found(anyOf([], 'text'), 'email')).toEqual([])
  await db.deleteFrom('masters').execute()
  await db.destroy()
})
