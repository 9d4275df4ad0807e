import type { AppInfo } from '../../../../shared/app-info.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors.ts'
import type { SignedInHost } from '../../auth/guards.ts'
import { editAppInfo } from '../app-info.ts'
import { rebuildLogo } from './image.ts'
import { keepLogo, removeUnusedLogo } from './logo-files.ts'

/** Takes the picture of a multipart body's field `logo` as the host's logo; the one before goes. */
export async function uploadLogo(
  deps: Deps,
  host: SignedInHost,
  { type, body }: { type: string; body: unknown },
  ip: string,
): Promise<AppInfo> {
  if (!Buffer.isBuffer(body)) throw invalidField('logo', 'Please select a logo file')
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError('malformed', 'The form cannot be read.', { cause })
    })
  const file = form.get('logo')
  if (!(file instanceof File) || file.size === 0) throw invalidField('logo', 'Please select a logo file')

  const { extension, bytes } = await rebuildLogo(Buffer.from(await file.arrayBuffer()), file.name)
  const logo_url = await keepLogo(deps, extension, bytes)
  try {
    return await editAppInfo(deps, host, { logo_url }, ip)
  } catch (error) {
    await removeUnusedLogo(deps, logo_url)
    throw error
  }
}
