import { LOGO_MAX_SIDE } from '../../../../shared/app-info.ts'
import { invalidField } from '../../../errors.ts'

const KINDS = [
  { extension: 'png', names: /\.png$/i, type: 'image/png', begins: '89504e470d0a1a0a', encode: ['png', {}] },
  { extension: 'jpg', names: /\.jpe?g$/i, type: 'image/jpeg', begins: 'ffd8ff', encode: ['jpeg', { quality: 90 }] },
  { extension: 'webp', names: /\.webp$/i, type: 'image/webp', begins: '52494646', encode: ['webp', { quality: 90 }] },
] as const

export const LOGO_TYPES: Record<string, string> = Object.fromEntries(
  KINDS.map(({ extension, type }) => [extension, type]),
)

/**
 * Decodes a PNG, JPEG or WebP and encodes it again, so that only its pixels are kept. The first bytes decide the
 * format, so that sharp never reads SVG or its other formats.
 */
export async function encodeLogo(bytes: Buffer, fileName: string): Promise<{ extension: string; bytes: Buffer }> {
  const kind = KINDS.find(({ begins }) => bytes.subarray(0, begins.length / 2).toString('hex') === begins)
  if (!kind) throw invalidField('logo', 'The logo must be a PNG, JPEG or WebP picture')
  if (!kind.names.test(fileName)) throw invalidField('logo', 'This file is not what its name says')

  const { default: sharp } = await import('sharp') // loading takes 80 ms, which not every start needs
  const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(refuse)
  if (pages > 1) throw refuse()
  if (width > LOGO_MAX_SIDE || height > LOGO_MAX_SIDE)
    throw invalidField('logo', `The logo may be at most ${LOGO_MAX_SIDE} × ${LOGO_MAX_SIDE} pixels`)
  const [format, options] = kind.encode
  const image = sharp(bytes, { limitInputPixels: LOGO_MAX_SIDE ** 2, failOn: 'error' }).autoOrient()
  return { extension: kind.extension, bytes: await image.toFormat(format, options).toBuffer().catch(refuse) }
}

function refuse(): never {
  throw invalidField('logo', 'This picture is damaged or of a kind that phones may not show')
}
