import classes from './Level.module.css'

const BARS = Array.from({ length: 21 }, (_, index) => ({ index, share: 1 - Math.abs(index - 10) / 12 }))

/** Shows a voice level from 0 to 1. */
export function Level({ label, level }: { label: string; level: number }) {
  return (
    <div>
      <div className={classes.level} aria-hidden="true">
        {BARS.map(({ index, share }) => (
          <span key={index} style={{ transform: `scaleY(${Math.max(0.08, level * share).toFixed(3)})` }} />
        ))}
      </div>
      <meter className="unseen" aria-label={label} value={level} />
    </div>
  )
}
