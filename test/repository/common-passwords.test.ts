import { readFile } from 'node:fs/promises'
import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { OWN_PASSWORD_MIN } from '../../shared/password-lengths.ts'

const LIST = 'server/features/auth/common-passwords.txt'

test('the passwords that the server refuses are the most frequent ones by which the console rates new ones', async () => {
  const refused = (await readFile(LIST, 'utf8')).trimEnd().split('\n')
  const mostFrequent = dictionary['passwords-common']
    .map(String)
    .filter((password) => password.length >= 6 && new Set(password).size >= 3)
    .slice(0, 10_000)
  expect(refused).toEqual(mostFrequent.toSorted())
  expect(refused.filter(({ length }) => length >= OWN_PASSWORD_MIN)).toHaveLength(4_535)
})
