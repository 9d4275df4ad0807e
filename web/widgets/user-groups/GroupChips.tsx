import type { ReactNode } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { PersonText } from '../../ui/PersonText.tsx'
import classes from './user-groups.module.css'

/** Returns a user's groups in the order of the room's list. */
export function groupsOf({ group_ids }: Pick<RoomUser, 'group_ids'>, groups: readonly UserGroup[]): UserGroup[] {
  return group_ids.length === 0 ? [] : groups.filter(({ id }) => group_ids.includes(id))
}

export function GroupSwatch({ colour }: Pick<UserGroup, 'colour'>) {
  return <span className={classes.swatch} data-group={colour} aria-hidden="true" />
}

/** A line of a select or a dialog: the colour never stands alone. */
export function GroupLine({ colour, children }: Pick<UserGroup, 'colour'> & { children: ReactNode }) {
  return (
    <span className={classes.option}>
      <GroupSwatch colour={colour} />
      {children}
    </span>
  )
}

/** The names of groups with their colours. Where a row has one line, it shows one and counts the others. */
export function GroupChips({ groups, oneLine = false }: { groups: readonly UserGroup[]; oneLine?: boolean }) {
  if (groups.length === 0) return null
  const shown = oneLine ? groups.slice(0, SHOWN) : groups
  const rest = groups.slice(shown.length)
  return (
    <ul className={classes.chips} data-one-line={oneLine || undefined} aria-label="Groups">
      {shown.map(({ id, name, colour }) => (
        <li key={id} className={`${classes.name} ${classes.chip}`} data-group={colour}>
          <GroupSwatch colour={colour} />
          <PersonText text={name} />
        </li>
      ))}
      {rest.length > 0 ? (
        <li className={classes.more} title={rest.map(({ name }) => name).join(', ')}>
          <span aria-hidden="true">+{rest.length}</span>
          <span className="unseen">{rest.map(({ name }) => name).join(', ')}</span>
        </li>
      ) : null}
    </ul>
  )
}

const SHOWN = 1
