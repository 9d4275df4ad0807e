import classes from './Spinner.module.css'

/** Hidden from screen readers; the text beside it says what is loading. */
export function Spinner({ size = 22 }: { size?: number | string }) {
  return <span className={classes.spinner} style={{ width: size, height: size }} aria-hidden="true" />
}
