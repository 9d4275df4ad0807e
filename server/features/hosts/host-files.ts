import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Deps } from '../../deps.ts'
import { filesIn } from '../../lib/files-in.ts'

/** Folders of DATA_DIR in which a host may have a folder of its own, named by its id. */
const FOLDERS = ['archive', 'logos']
const OWN_LOGO = /^\/logos\/[\w.-]+$/

/** Removes a host's archived recordings and its logo. What is gone already is fine. Returns how many it knew of. */
export async function removeHostFiles(deps: Deps, host_id: string): Promise<number> {
  const { DATA_DIR } = deps.config
  const files = [...(await archivedFiles(deps, host_id)), ...(await ownLogo(deps, host_id))]
  for (const file of files) await rm(file, { force: true })
  for (const folder of FOLDERS) await rm(join(DATA_DIR, folder, host_id), { recursive: true, force: true })
  return files.length
}

async function archivedFiles({ db, config }: Deps, host_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('recordings')
    .innerJoin('rooms', 'rooms.id', 'recordings.room_id')
    .select('archived_path')
    .where('rooms.host_id', '=', host_id)
    .where('archived_path', 'is not', null)
    .execute()
  return filesIn(
    config,
    rows.map(({ archived_path }) => archived_path ?? ''),
  )
}

/** A logo is named by its address, which any host may have entered: one that another shows too is left alone. */
async function ownLogo({ db, config }: Deps, host_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('app_info')
    .select(['logo_url', 'host_id'])
    .where('logo_url', '=', (eb) => eb.selectFrom('app_info').select('logo_url').where('host_id', '=', host_id))
    .execute()
  const logo = rows.length === 1 ? (rows[0]?.logo_url ?? '') : ''
  const name = basename(logo)
  return OWN_LOGO.test(logo) && !name.startsWith('.') ? [join(config.DATA_DIR, 'logos', name)] : []
}
