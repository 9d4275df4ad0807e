import classes from './Documentation.module.css'

const ADDRESSES = import.meta.glob<string>('../pictures/*.webp', { eager: true, query: '?url', import: 'default' })

type PictureProps = { name: string; alt: string; onPhone?: boolean }

/** A picture of a screen, as bin/pictures.ts took it. */
export function Picture({ name, alt, onPhone = false }: PictureProps) {
  const [width, height] = onPhone ? [390, 760] : [1200, 750]
  return (
    <img
      className={classes.picture}
      data-picture={name}
      data-phone={onPhone || undefined}
      src={ADDRESSES[`../pictures/${name}.webp`]}
      width={width}
      height={height}
      alt={alt}
      loading="lazy"
    />
  )
}
