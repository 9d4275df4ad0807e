import { expect, test } from 'vitest'
import { listedUser as aUser } from '../../../../test/factories/listed.ts'
import { keepPlaces } from './steady-list.ts'

test('under the pointer each user keeps the place, who leaves too, and newcomers come last', () => {
  const [a, b, c, d] = [aUser('a'), aUser('b'), aUser('c'), aUser('d')]
  const muted = aUser('b', { is_muted: true })
  expect(keepPlaces([a, b, c], [d, a], [a, muted, d])).toEqual([a, muted, { ...c, is_online: false }, d])
})
