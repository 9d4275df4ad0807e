import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidField } from '../../errors.ts'

/** The 10,000 most frequent ones of at least six characters in leaked lists, as zxcvbn-ts (MIT) has them. */
const LIST = join(import.meta.dirname, 'common-passwords.txt')

let common: ReadonlySet<string> | undefined

/** Throws for one that a guesser tries first: a leaked favourite in any case, or one of two characters over and over. */
export async function refuseCommonPassword(password: string): Promise<void> {
  const text = password.toLowerCase()
  common ??= new Set((await readFile(LIST, 'utf8')).split('\n'))
  if (new Set(text).size < 3 || common.has(text))
    throw invalidField('password', 'This password is too common. Choose another.')
}
