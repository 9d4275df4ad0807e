import type { AppInfo } from '../../../../shared/app-info.ts'
import type { HostActor } from '../../../db/actor.ts'
import type { Deps } from '../../../deps.ts'
import { editAppInfo } from '../app-info.ts'
import { removeUnusedLogo, saveLogo } from './logo-files.ts'

/** Replaces the host's logo, and removes the one before. */
export async function uploadLogo(
  deps: Deps,
  by: HostActor,
  { extension, bytes }: { extension: string; bytes: Buffer },
): Promise<AppInfo> {
  const logo_url = await saveLogo(deps, extension, bytes)
  try {
    return await editAppInfo(deps, by, { logo_url })
  } catch (error) {
    await removeUnusedLogo(deps, logo_url)
    throw error
  }
}
