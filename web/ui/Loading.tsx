import { Spinner } from './Spinner.tsx'
import classes from './States.module.css'

type LoadingProps = { label?: string; fullPage?: boolean }

export function Loading({ label = 'Loading...', fullPage = false }: LoadingProps) {
  return (
    <div role="status" className={classes.state} data-full-page={fullPage || undefined}>
      <span className={classes.spinner}>
        <Spinner />
      </span>
      <span className={classes.text}>{label}</span>
    </div>
  )
}
