import { readFile } from 'node:fs/promises'
import { Decrypter, Encrypter } from 'age-encryption'
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
/** Reads keys as `age-keygen` writes them, one a line. Throws BadSetting where there is neither a key nor a passphrase. */
export async function readDecrypter(
  { BACKUP_PASSPHRASE }: Pick<Keys, 'BACKUP_PASSPHRASE'>,
  identityFile: string | null,
): Promise<Decrypter> {
  const decrypter = new Decrypter()
  if (BACKUP_PASSPHRASE) decrypter.addPassphrase(BACKUP_PASSPHRASE)
  if (identityFile === null && !BACKUP_PASSPHRASE)
    throw new BadSetting('add --identity KEYFILE, or set BACKUP_PASSPHRASE')
  if (identityFile === null) return decrypter
  const text = await readFile(identityFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BadSetting(`${identityFile} cannot be read (${error.code})`)
  })
  const keys = text.split(/\r?\n/).filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (keys.length === 0) throw new BadSetting(`${identityFile} holds no key of age`)
  for (const key of keys) {
    try {
      decrypter.addIdentity(key.trim())
    } catch {
      throw new BadSetting(`${identityFile} holds a key that is mistyped`)
    }
  }
  return decrypter
}
