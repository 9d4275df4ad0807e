import { LOGO_MAX_SIDE } from '../../../../shared/app-info.ts'
import { invalidField } from '../../../errors.ts'
import { rebuildJpeg } from './jpeg.ts'
import { rebuildPng } from './png.ts'
import { rebuildWebp } from './webp.ts'

/** A picture written anew from its image parts alone: no words, no place where it was taken, nothing after its end. */
export interface Rebuilt {
  width: number
  height: number
  bytes: Buffer
}

const KINDS = [
  { extension: 'png', names: /\.png$/i, type: 'image/png', begins: '89504e470d0a1a0a', rebuild: rebuildPng },
  { extension: 'jpg', names: /\.jpe?g$/i, type: 'image/jpeg', begins: 'ffd8ff', rebuild: rebuildJpeg },
  { extension: 'webp', names: /\.webp$/i, type: 'image/webp', begins: '52494646', rebuild: rebuildWebp },
]

export const LOGO_TYPES: Record<string, string> = Object.fromEntries(
  KINDS.map(({ extension, type }) => [extension, type]),
)

/** Takes a PNG, JPEG or WebP by what it is, and refuses it where its name says another thing. */
export async function rebuildLogo(bytes: Buffer, fileName: string): Promise<{ extension: string; bytes: Buffer }> {
  const kind = KINDS.find(({ begins }) => bytes.subarray(0, begins.length / 2).toString('hex') === begins)
  if (!kind) throw invalidField('logo', 'The logo must be a PNG, JPEG or WebP picture')
  if (!kind.names.test(fileName)) throw invalidField('logo', 'This file is not what its name says')
  const rebuilt = await kind.rebuild(bytes).catch(() => null)
  if (!rebuilt) throw invalidField('logo', 'This picture is damaged or of a kind that phones may not show')
  const { width, height } = rebuilt
  if (width < 1 || height < 1 || width > LOGO_MAX_SIDE || height > LOGO_MAX_SIDE)
    throw invalidField('logo', `The logo may be at most ${LOGO_MAX_SIDE} × ${LOGO_MAX_SIDE} pixels`)
  return { extension: kind.extension, bytes: rebuilt.bytes }
}
