import classes from './BrandMark.module.css'

type BrandMarkProps = { size?: number; withName?: boolean; note?: string | undefined }

/** The mark, three voices and one that is about to speak, with the product's name beside it. */
export function BrandMark({ size = 32, withName = true, note }: BrandMarkProps) {
  return (
    <span className={classes.brand}>
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="9" fill="#17404a" />
        <g fill="none" strokeWidth="3.4" strokeLinecap="round">
          <path d="M9 13v6M14 9.5v13M19 12v8" stroke="#5cc4c0" />
          <path d="M24 15.2v1.6" stroke="#ffb074" />
        </g>
      </svg>
      {withName ? (
        <span>
          Parley
          {note ? <span className={classes.note}>{note}</span> : null}
        </span>
      ) : null}
    </span>
  )
}
