import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { packTar } from 'modern-tar'
import { afterAll, expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { emptyDataFolder } from '../../../test/servers/server-process.ts'
import { checkBackup } from './read-backup.ts'

const identity = await generateX25519Identity()
const recipient = await identityToRecipient(identity)
const folder = await emptyDataFolder()
afterAll(() => folder.remove())

interface Entry {
  header: { name: string; size: number; type: 'file' }
  body: string
}

const entry = (name: string, body: string, more: object = {}): Entry => ({
  header: { name, size: Buffer.byteLength(body), type: 'file', ...more },
  body,
})
const about = (more: object = {}) =>
  entry(
    'about.json',
    JSON.stringify({
      ...{ format: 1, version: packageJson.version, made_at: '2026-11-28T00:00:00.000Z', engine: 'pglite' },
      ...{ migrations: ['0001_hosts.sql'], ...more },
    }),
  )
const table = (name: string) => ({ name, columns: ['id'], parts: 0, rows: 0, digest: '0'.repeat(64) })

/** Lists the entries as they are. */
function manifest(entries: Entry[], more: object = {}): Entry {
  const listed = entries.map(({ header: { name }, body }) => ({
    name,
    bytes: Buffer.byteLength(body),
    sha256: createHash('sha256').update(body).digest('hex'),
  }))
  const fields = { format: 1, tables: [], sequences: [], files: 0, has_key: false, gone: [], entries: listed, ...more }
  return entry('manifest.json', JSON.stringify(fields))
}

let made = 0
async function check(entries: Entry[]) {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const file = join(folder.path, `${++made}.tar.age`)
  await writeFile(file, await encrypter.encrypt(await packTar(entries)))
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return checkBackup(file, decrypter).then(
    () => 'whole',
    (error: Error) => error.message.replace(`${file} `, ''),
  )
}
const withManifest = (entries: Entry[], more: object = {}) => check([...entries, manifest(entries, more)])

test('a backup of nothing is whole', async () => {
  expect(await withManifest([about()], { tables: [table('masters')] })).toBe('whole')
})

test('names no tables but those of a backup, each once', async () => {
  for (const tables of [[table('invoices')], [table('sign_in_links')], [table('masters'), table('masters')]])
    expect(await withManifest([about()], { tables })).toBe('is damaged at manifest.json')
  const sequences = [{ table: 'invoices', column: 'id', last: 1 }]
  expect(await withManifest([about()], { sequences })).toBe('is damaged at manifest.json')
})

test('has each entry once, and plain files alone', async () => {
  const logo = `files/logos/${'0'.repeat(32)}.png`
  expect(await withManifest([about(), entry(logo, 'a')])).toBe('whole')
  expect(await withManifest([about(), entry(logo, 'a'), entry(logo, 'b')])).toBe(`is damaged at ${logo}`)
  expect(await withManifest([about(), entry('secret.key', 'a'), entry('secret.key', 'b')], { has_key: true })).toBe(
    'is damaged at secret.key',
  )
  for (const header of [{ type: 'symlink', linkname: '/etc/passwd' }, { type: 'directory' }])
    expect(await withManifest([about(), entry(logo, '', header)])).toBe(`is damaged at ${logo}`)
})

test('has a key and a beginning of a few kilobytes, since they are held in memory', async () => {
  const key = (bytes: number) => [about(), entry('secret.key', 'k'.repeat(bytes))]
  expect(await withManifest(key(64 * 1024), { has_key: true })).toBe('whole')
  expect(await withManifest(key(64 * 1024 + 1), { has_key: true })).toBe('is damaged at secret.key')
  expect(await withManifest([about({ more: ' '.repeat(1024 ** 2) })])).toBe('is damaged at about.json')
})

test('says in one line why it is refused, whatever the file says', async () => {
  expect(await check([about({ format: 9, version: '9\u001b[2J\nRestored' })])).toBe('is damaged at about.json')
  expect(await check([about(), entry('evil\n\u001b[31mwhole', 'x')])).toBe('is damaged at evil??[31mwhole')
})
