import { useSession } from '../../lib/session/session.ts'
import classes from './Person.module.css'

/** Who is signed in. */
export function Person({ folded }: { folded: boolean }) {
  const { user } = useSession()
  if (!user) return null
  const [initial = ''] = (user.full_name || user.username).toUpperCase() // a whole character, where an emoji is two
  return (
    <div className={classes.person} data-folded={folded || undefined} title={folded ? user.username : undefined}>
      <span className={classes.disc} aria-hidden="true">
        {initial}
      </span>
      {folded ? null : (
        <span className={classes.names}>
          <span className={classes.name}>{user.username}</span>
          {user.full_name ? <span className={classes.full}>{user.full_name}</span> : null}
        </span>
      )}
    </div>
  )
}
