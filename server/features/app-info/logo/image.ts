import { LOGO_MAX_SIDE } from '../../../../shared/app-info.ts'
import { invalidField } from '../../../errors.ts'
import { loadOnce } from '../../../lib/load-once.ts'

/** Pixels of a side as it is stored: phones show a logo at less than a third of it. */
const STORED_SIDE = 512
/** A progressive JPEG has about ten. Each is a pass over the whole picture, and costs 26 bytes of a file. */
const MAX_JPEG_SCANS = 100
const START_OF_SCAN = Buffer.from('ffda', 'hex')
const MAX_SECONDS = 3

const KINDS = [
  { extension: 'png', names: /\.png$/i, type: 'image/png', begins: '89504e470d0a1a0a', encode: ['png', {}] },
  { extension: 'jpg', names: /\.jpe?g$/i, type: 'image/jpeg', begins: 'ffd8ff', encode: ['jpeg', { quality: 90 }] },
  { extension: 'webp', names: /\.webp$/i, type: 'image/webp', begins: '52494646', encode: ['webp', { quality: 90 }] },
] as const

export const LOGO_TYPES: Record<string, string> = Object.fromEntries(
  KINDS.map(({ extension, type }) => [extension, type]),
)

/** Loads in 80 ms, which not every start needs. Without limits it keeps a gigabyte of what it has decoded. */
const loadSharp = loadOnce(async () => {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
})

/**
 * Decodes a PNG, JPEG or WebP and encodes it again, small and in 8 bits, so that only its pixels are kept. The first
 * bytes decide the format, so that sharp never reads SVG or its other formats.
 */
export async function encodeLogo(bytes: Buffer, fileName: string): Promise<{ extension: string; bytes: Buffer }> {
  const kind = KINDS.find(({ begins }) => bytes.subarray(0, begins.length / 2).toString('hex') === begins)
  if (!kind) throw invalidField('logo', 'The logo must be a PNG, JPEG or WebP picture')
  if (!kind.names.test(fileName)) throw invalidField('logo', 'This file is not what its name says')

  if (kind.extension === 'jpg' && countScans(bytes) > MAX_JPEG_SCANS) throw refuse()

  const sharp = await loadSharp()
  const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(refuse)
  if (pages > 1) throw refuse()
  if (width > LOGO_MAX_SIDE || height > LOGO_MAX_SIDE)
    throw invalidField('logo', `The logo may be at most ${LOGO_MAX_SIDE} × ${LOGO_MAX_SIDE} pixels`)
  const [format, options] = kind.encode
  const image = sharp(bytes, { limitInputPixels: LOGO_MAX_SIDE ** 2, failOn: 'error' })
    .autoOrient()
    .resize({ width: STORED_SIDE, height: STORED_SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .timeout({ seconds: MAX_SECONDS })
  return { extension: kind.extension, bytes: await image.toFormat(format, options).toBuffer().catch(refuse) }
}

/** Counts those of a picture within its metadata too. */
function countScans(jpeg: Buffer): number {
  let scans = 0
  for (let at = jpeg.indexOf(START_OF_SCAN); at >= 0; at = jpeg.indexOf(START_OF_SCAN, at + 2)) scans++
  return scans
}

function refuse(): never {
  throw invalidField('logo', 'This picture is damaged or of a kind that phones may not show')
}
