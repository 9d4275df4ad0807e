import { Input } from '@mantine/core'
import { useId } from 'react'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { PersonText } from '../../ui/PersonText.tsx'
import { GroupSwatch } from './GroupChips.tsx'
import classes from './user-groups.module.css'

type GroupChoiceProps = {
  groups: readonly UserGroup[]
  value: readonly string[]
  onChange: (ids: string[]) => void
  error?: unknown
}

/** Chooses the groups of one user. */
export function GroupChoice({ groups, value, onChange, error }: GroupChoiceProps) {
  const id = useId()
  if (groups.length === 0) return null
  return (
    <fieldset className={classes.fieldset} aria-labelledby={id}>
      <Input.Label component="span" id={id} mb={4} fz="xs" fw={600}>
        Groups
      </Input.Label>
      <div className={classes.choices}>
        {groups.map((group) => (
          <label key={group.id} className={classes.choice}>
            <input
              type="checkbox"
              checked={value.includes(group.id)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...value, group.id] : value.filter((one) => one !== group.id))
              }
            />
            <GroupSwatch colour={group.colour} />
            <PersonText text={group.name} />
          </label>
        ))}
      </div>
      {typeof error === 'string' ? <Input.Error mt={4}>{error}</Input.Error> : null}
    </fieldset>
  )
}
