import { useSyncExternalStore } from 'react'
import { currentScheme, subscribeToScheme } from '../../../ui/base/color-scheme.ts'

const PICTURES = import.meta.glob<string>('../../../../docs/pictures/landing-*.avif', {
  eager: true,
  query: '?url',
  import: 'default',
})

type Size = { width: number; height: number }
type SchemePictureProps = Size & {
  /** Excludes `landing-` and the scheme. The sizes are in CSS pixels; the file has twice as many. */
  name: string
  alt: string
  /** The size of another picture for phones. */
  narrow?: Size
  isFirst?: boolean
}

/** A real part of the console, in the page's colour scheme. */
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
