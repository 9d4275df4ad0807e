import type { AppInfo } from '../../../../shared/app-info.ts'
import type { Deps } from '../../../deps.ts'
import type { SignedInHost } from '../../auth/guards.ts'
import { editAppInfo } from '../app-info.ts'
import { encodeLogo } from './image.ts'
import { removeUnusedLogo, saveLogo } from './logo-files.ts'

/** Replaces the host's logo, and removes the one before. */
export async function uploadLogo(
  deps: Deps,
  host: SignedInHost,
  file: { filename: string; bytes: Buffer },
  ip: string,
): Promise<AppInfo> {
  const { extension, bytes } = await encodeLogo(file.bytes, file.filename)
  const logo_url = await saveLogo(deps, extension, bytes)
  try {
    return await editAppInfo(deps, host, { logo_url }, ip)
  } catch (error) {
    await removeUnusedLogo(deps, logo_url)
    throw error
  }
}
