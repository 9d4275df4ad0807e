import { Loader } from '@mantine/core'
import classes from './States.module.css'

type LoadingProps = { label?: string; fullPage?: boolean }

export function Loading({ label = 'Loading...', fullPage = false }: LoadingProps) {
  return (
    <div role="status" className={classes.state} data-full-page={fullPage || undefined}>
      <Loader size="sm" aria-hidden="true" />
      <span className={classes.text}>{label}</span>
    </div>
  )
}
