import { normaliseForComparison } from './normalise.ts'

export const PASSWORD_IS_NAME = 'The password must not be the username'
export const NAME_IS_PASSWORD = 'The username must not be the password'

/** Arguments for `refine` on an object that sets both. */
export const PASSWORD_IS_NOT_NAME: [(fields: Fields) => boolean, { path: PropertyKey[]; error: string }] = [
  ({ username, password }) => !isNameAsPassword(username, password),
  { path: ['password'], error: PASSWORD_IS_NAME },
]

interface Fields {
  username?: string | null | undefined
  password?: string | null | undefined
}

export function isNameAsPassword(username: string | null | undefined, password: string | null | undefined): boolean {
  return Boolean(username && password && normaliseForComparison(username) === normaliseForComparison(password))
}
