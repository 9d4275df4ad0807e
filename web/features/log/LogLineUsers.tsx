import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { roomUsers } from '../../queries/room-users.ts'
import { useUserPanelLink } from '../../widgets/room-user/user-param.ts'
import classes from './LogDays.module.css'

const SHOWN = 500

/** Lists the users of a line that only counts them. Shows a user's present name, or the one that the log kept. */
export function LogLineUsers({
  users,
  leftOut,
}: {
  users: readonly { id: string; name: string | null }[]
  leftOut: number
}) {
  const linkTo = useUserPanelLink()
  const { data } = useQuery({ ...roomUsers, refetchInterval: false })
  const names = new Map(data?.users.map(({ id, username }) => [id, username]))
  const shown = users.slice(0, SHOWN)
  const further = users.length - shown.length + leftOut
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard
    <ul className={classes.users} tabIndex={0} aria-label="Users">
      {shown.map(({ id, name }) => (
        <li key={id}>
          {names.has(id) ? (
            <Anchor component={Link} {...linkTo(id)}>
              <bdi dir="auto">{names.get(id)}</bdi>
            </Anchor>
          ) : (
            <bdi dir="auto">{name ?? 'a deleted user'}</bdi>
          )}
        </li>
      ))}
      {further > 0 ? <li>and {further.toLocaleString('en')} more, who are in the downloaded CSV</li> : null}
    </ul>
  )
}
