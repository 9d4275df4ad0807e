import { memo } from 'react'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import classes from './tiles.module.css'

/** The most marks that a small tile has space for. */
const SHOWN = 5

/** The colours of a user's groups at the lower edge of a tile, whose words and title have the names. */
export const GroupMarks = memo(function GroupMarks({ groups }: { groups: readonly UserGroup[] }) {
  if (groups.length === 0) return null
  return (
    <span className={classes.groups} aria-hidden="true">
      {groups.slice(0, SHOWN).map(({ id, colour }) => (
        <i key={id} className={classes.group} data-group={colour} />
      ))}
    </span>
  )
})
