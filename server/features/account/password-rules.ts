import { normaliseForComparison } from '../../../shared/normalise.ts'
import { invalidField } from '../../errors.ts'
import { refuseCommonPassword } from '../auth/common-passwords.ts'

interface NewPassword {
  password: string
  /** The field of the form. */
  field: string
  /** The username and the email address of the account. */
  names: readonly string[]
  isCurrent: boolean | (() => Promise<boolean>)
}

/** Throws for a password that an account's owner must not choose. Its length is checked with the form. */
export async function refuseUnsuitablePassword({ password, field, names, isCurrent }: NewPassword): Promise<void> {
  if (names.map(normaliseForComparison).includes(normaliseForComparison(password)))
    throw invalidField(field, 'The password must not be the username or the email address')
  await refuseCommonPassword(password, field)
  if (typeof isCurrent === 'boolean' ? isCurrent : await isCurrent())
    throw invalidField(field, 'This is the password that you have. Choose another.')
}
