import classes from './BrandMark.module.css'

type BrandMarkProps = { size?: number; withName?: boolean }

/** The mark, three voices and one that is about to speak, with the product's name beside it. */
export function BrandMark({ size = 32, withName = true }: BrandMarkProps) {
  return (
    <span className={classes.brand}>
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className={classes.mark}>
        <rect width="32" height="32" rx="9" className={classes.ground} />
        <g fill="none" strokeWidth="3.4" strokeLinecap="round">
          <path d="M9 13v6M14 9.5v13M19 12v8" className={classes.voice} />
          <path d="M24 15.2v1.6" className={classes.accent} />
        </g>
      </svg>
      {withName ? <span className={classes.name}>Parley</span> : null}
    </span>
  )
}
