import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../../deps.ts'

/** Matches the URL of a logo that was uploaded here. */
const OWN_LOGO = /^\/logos\/([0-9a-f]{32}\.(?:png|jpg|webp))$/

export function logoPath({ config }: Pick<Deps, 'config'>, name: string): string {
  return join(config.DATA_DIR, 'logos', name)
}

/** Saves a logo under a random name and returns its URL. */
export async function saveLogo(deps: Deps, extension: string, bytes: Buffer): Promise<string> {
  const name = `${randomBytes(16).toString('hex')}.${extension}`
  const path = logoPath(deps, name)
  const part = `${path}.part`
  await mkdir(join(deps.config.DATA_DIR, 'logos'), { recursive: true })
  try {
    await write(part, bytes)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true }) // otherwise a full disk would keep it
    throw error
  }
  return `/logos/${name}`
}

async function write(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** True for a URL elsewhere, or an uploaded logo that no other host shows. */
export async function canUseLogo(
  deps: Pick<Deps, 'config' | 'db'>,
  host_id: string,
  address: string,
): Promise<boolean> {
  if (!address.startsWith('/')) return true
  const name = OWN_LOGO.exec(address)?.[1]
  if (!name || !(await stat(logoPath(deps, name)).catch(() => null))) return false
  const shown = await deps.db
    .selectFrom('app_info')
    .select('host_id')
    .where('logo_url', '=', address)
    .where('host_id', '!=', host_id)
    .executeTakeFirst()
  return !shown
}

/** Removes an uploaded logo that no host shows any more. */
export async function removeUnusedLogo(deps: Deps, address: string | null | undefined): Promise<void> {
  const name = OWN_LOGO.exec(address ?? '')?.[1]
  if (!name) return
  const shown = await deps.db
    .selectFrom('app_info')
    .select('host_id')
    .where('logo_url', '=', `/logos/${name}`)
    .executeTakeFirst()
  if (!shown) await rm(logoPath(deps, name), { force: true })
}
