import classes from './Spinner.module.css'
import { Spinner } from './Spinner.tsx'

type LoadingProps = { label?: string; fullPage?: boolean }

export function Loading({ label = 'Loading...', fullPage = false }: LoadingProps) {
  return (
    <div role="status" className={classes.loading} data-full-page={fullPage || undefined}>
      <Spinner />
      <span>{label}</span>
    </div>
  )
}
