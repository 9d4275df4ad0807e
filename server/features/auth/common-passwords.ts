import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invalidField } from '../../errors.ts'

/**
 * The 10,000 most frequent passwords of at least six characters in leaked lists, from the dictionary of zxcvbn-ts (MIT)
 * by which the console rates new ones. It is a copy, since the whole package would be 1.9 MB for each server.
 */
const LIST = join(import.meta.dirname, 'common-passwords.txt')

let common: ReadonlySet<string> | undefined

/** Throws for a password that guessers try first: a leaked favourite, or one or two characters over and over. */
export async function refuseCommonPassword(password: string, field = 'password'): Promise<void> {
  const text = password.toLowerCase()
  common ??= new Set((await readFile(LIST, 'utf8')).split('\n'))
  if (new Set(text).size < 3 || common.has(text))
    throw invalidField(field, 'This password is too common. Choose another.')
}
