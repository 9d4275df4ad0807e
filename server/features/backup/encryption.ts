import { Encrypter } from 'age-encryption'
import { BadSetting, type Config } from '../../config.ts'

type Keys = Pick<Config, 'BACKUP_RECIPIENTS' | 'BACKUP_PASSPHRASE'>

/** Returns null where no setting says for whom a backup is encrypted. Throws BadSetting. */
export function findEncryption({ BACKUP_RECIPIENTS, BACKUP_PASSPHRASE }: Keys) {
  const encrypter = new Encrypter()
  if (BACKUP_PASSPHRASE) {
    encrypter.setPassphrase(BACKUP_PASSPHRASE)
    return { encrypter, words: 'encrypted with a passphrase' }
  }
  for (const recipient of BACKUP_RECIPIENTS) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new BadSetting(`BACKUP_RECIPIENTS has ${recipient}, which is mistyped: its check sum is wrong.`)
    }
  }
  const count = BACKUP_RECIPIENTS.length
  return count === 0 ? null : { encrypter, words: `encrypted to ${count} recipient${count === 1 ? '' : 's'}` }
}

export type Encryption = NonNullable<ReturnType<typeof findEncryption>>
