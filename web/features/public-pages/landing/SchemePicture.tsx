import { useSyncExternalStore } from 'react'
import { currentScheme, subscribeToScheme } from '../../../ui/light/color-scheme.ts'

const PICTURES = import.meta.glob<string>('../../../../docs/pictures/landing-*.avif', {
  eager: true,
  query: '?url',
  import: 'default',
})

type Size = { width: number; height: number }
type SchemePictureProps = Size & {
  /** Without `landing-` and the scheme. The sizes are in CSS pixels; the file has twice as many. */
  name: string
  alt: string
  /** Of another picture, on phones. */
  narrow?: Size
  isFirst?: boolean
}

/** A part of the console as it is, in the colours that the page has. */
export function SchemePicture({ name, alt, narrow, isFirst = false, ...size }: SchemePictureProps) {
  const scheme = useSyncExternalStore(subscribeToScheme, currentScheme)
  const address = (of: string) => PICTURES[`../../../../docs/pictures/landing-${of}-${scheme}.avif`]
  return (
    <picture>
      {narrow ? <source media="(max-width: 48em)" srcSet={address(`${name}-narrow`)} {...narrow} /> : null}
      <img
        src={address(name)}
        {...size}
        alt={alt}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        decoding="async"
      />
    </picture>
  )
}
