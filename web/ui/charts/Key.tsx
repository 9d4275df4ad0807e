import classes from './chart.module.css'

const SHAPES = {
  area: 'M0 3h12v9h-12z',
  up: 'M6 1 12 11H0z',
  down: 'M6 11 0 1H12z',
} as const

/** Explains a colour by shape and word. */
export function Key({ shape, word }: { shape: keyof typeof SHAPES; word: string }) {
  return (
    <span className={classes.key}>
      <svg width="10" height="10" viewBox="0 0 12 12" aria-hidden="true">
        <path d={SHAPES[shape]} className={shape === 'area' ? classes.bar : classes[shape]} />
      </svg>
      {word}
    </span>
  )
}
