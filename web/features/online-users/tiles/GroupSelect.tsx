import { type ComboboxItem, type ComboboxParsedItem, type ComboboxParsedItemGroup, Select } from '@mantine/core'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import { GroupLine, GroupSwatch } from '../../../widgets/user-groups/GroupChips.tsx'
import { type ChosenGroup, NO_REFERENCE } from './room-filter.ts'
import classes from './toolbar.module.css'

type GroupSelectProps = {
  groups: readonly UserGroup[]
  members: ReadonlyMap<string, number>
  references: ReadonlyMap<string, number>
  group: ChosenGroup | null
  onGroup: (group: ChosenGroup | null) => void
}

/** Chooses one of the host's groups, or one that a reference makes, with the number of online users in each. */
export function GroupSelect({ groups, members, references, group, onGroup }: GroupSelectProps) {
  const own = groups.map(({ id, name }) => ({ value: `${GROUP}${id}`, label: `${name} (${members.get(id) ?? 0})` }))
  const byReference = referenceOptions(references, group)
  const colourOf = (value: string | null) => groups.find(({ id }) => value === `${GROUP}${id}`)?.colour
  const value = group === null ? null : optionOf(group)
  const colour = colourOf(value)
  return (
    <Select
      className={classes.group}
      aria-label="Group"
      placeholder="All groups"
      leftSection={colour ? <GroupSwatch colour={colour} /> : null}
      renderOption={({ option }) => {
        const shown = colourOf(option.value)
        const text = <PersonText text={option.label} wraps />
        return shown ? <GroupLine colour={shown}>{text}</GroupLine> : text
      }}
      data={
        own.length === 0
          ? byReference
          : [
              { group: 'Groups', items: own },
              ...(byReference.length > 0 ? [{ group: 'By the reference', items: byReference }] : []),
            ]
      }
      value={value}
      onChange={(next) => onGroup(next === null ? null : chosenOf(next))}
      data-clears-filters
      filter={({ options, search }) => offeredGroups(options, search, references, value)}
      searchable
      clearable
      clearSectionMode="clear"
      limit={200}
      nothingFoundMessage="No such group"
      comboboxProps={{ portalProps: { target: '#content' }, width: 240, position: 'bottom-start' }}
      clearButtonProps={{ 'aria-label': 'All groups', className: classes.clear }}
    />
  )
}

const GROUP = 'group '
const REFERENCE = 'reference '
const FOLDED = 'folded'

const optionOf = (group: ChosenGroup) => ('id' in group ? `${GROUP}${group.id}` : `${REFERENCE}${group.reference}`)

const chosenOf = (value: string): ChosenGroup =>
  value.startsWith(GROUP) ? { id: value.slice(GROUP.length) } : { reference: value.slice(REFERENCE.length) }

const isItem = (option: ComboboxParsedItem): option is ComboboxItem => 'value' in option
const isGroup = (option: ComboboxParsedItem): option is ComboboxParsedItemGroup => 'group' in option

/**
 * References are free text, and many belong to a single user. Typing finds those; the list begins with the real groups.
 */
function offeredGroups(
  options: ComboboxParsedItem[],
  search: string,
  references: ReadonlyMap<string, number>,
  chosen: string | null,
): ComboboxParsedItem[] {
  const words = search.trim().toLowerCase()
  const hasFolded = options.some((option) => (isGroup(option) ? option.items : [option]).some(isFoldedLine))
  const isOffered = ({ value, label }: ComboboxItem) => {
    if (words !== '') return value !== FOLDED && label.toLowerCase().includes(words)
    if (!hasFolded || value === chosen || value === `${REFERENCE}${NO_REFERENCE}`) return true
    return !value.startsWith(REFERENCE) || references.get(value.slice(REFERENCE.length)) !== 1
  }
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (isItem(option)) return isOffered(option) ? [option] : []
    const items = option.items.filter(isOffered)
    return items.length > 0 ? [{ ...option, items }] : []
  })
}

const isFoldedLine = (option: ComboboxParsedItem) => isItem(option) && option.value === FOLDED

/** Keeps the chosen reference in the list after its last user has left. */
function referenceOptions(references: ReadonlyMap<string, number>, group: ChosenGroup | null) {
  const chosen = group !== null && 'reference' in group ? group.reference : null
  const all = chosen === null || references.has(chosen) ? references : new Map([...references, [chosen, 0]])
  const options = [...all].map(([name, count]) => ({
    value: `${REFERENCE}${name}`,
    label: `${name === NO_REFERENCE ? 'No reference' : name} (${count})`,
  }))
  const singles = [...all.values()].filter((count) => count === 1).length
  if (singles < 2 || singles === all.size) return options
  return [...options, { value: FOLDED, label: `${singles} more with one user each: type to find`, disabled: true }]
}
