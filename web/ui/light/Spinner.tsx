import classes from './Spinner.module.css'

/** Something is under way. The words beside it say what. */
export function Spinner({ size = 22 }: { size?: number }) {
  return <span className={classes.spinner} style={{ width: size, height: size }} aria-hidden="true" />
}
