import {
  Button,
  Center,
  type ComboboxItem,
  type ComboboxParsedItem,
  Group,
  SegmentedControl,
  Select,
  TextInput,
  VisuallyHidden,
} from '@mantine/core'
import { IconGridDots, IconLayoutGrid, IconList, IconSearch, IconX } from '@tabler/icons-react'
import { memo, type RefObject } from 'react'
import { PersonText } from '../../../ui/PersonText.tsx'
import { DENSITIES, type Density } from './density.ts'
import { NO_REFERENCE } from './room-filter.ts'
import { TileOrder, type TileOrderName } from './TileOrder.tsx'
import classes from './toolbar.module.css'

const labels: Record<Density, { word: string; icon: typeof IconList }> = {
  comfortable: { word: 'Comfortable', icon: IconLayoutGrid },
  compact: { word: 'Compact', icon: IconGridDots },
  list: { word: 'List', icon: IconList },
}

const densities = DENSITIES.map((value) => {
  const { word, icon: Icon } = labels[value]
  return {
    value,
    label: (
      <Center component="span" miw={28} mih={24} title={word}>
        <Icon size={18} stroke={1.75} aria-hidden="true" />
        <VisuallyHidden>{word}</VisuallyHidden>
      </Center>
    ),
  }
})

/** Stands for the empty reference, since a select has no empty value. */
const NONE = 'no-reference'

type ToolbarProps = {
  inputRef: RefObject<HTMLInputElement | null>
  words: string
  onWords: (words: string) => void
  onEnter: () => void
  groups: ReadonlyMap<string, number>
  group: string | null
  onGroup: (group: string | null) => void
  /** Undefined for the list, whose columns have their own order. */
  tilesBy: TileOrderName | undefined
  onTilesBy: (name: TileOrderName) => void
  density: Density
  onDensity: (density: Density) => void
  /** Clears all filters; undefined if there are none. */
  onClear: (() => void) | undefined
}

/** Renders when a filter or a count changes, not with each change in the room. */
export const Toolbar = memo(function Toolbar(props: ToolbarProps) {
  const { inputRef, words, onWords, onEnter, groups, group, onGroup, tilesBy, onTilesBy, density, onDensity, onClear } =
    props
  return (
    <Group gap="xs">
      <TextInput
        ref={inputRef}
        type="search"
        className={classes.filter}
        aria-label="Filter users"
        placeholder="Type a name, ID or reference"
        leftSection={<IconSearch size={17} aria-hidden="true" />}
        value={words}
        onChange={(event) => onWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault() // or the same press would act on the user who gets the focus
          onEnter()
        }}
      />
      {groups.size > 0 || group !== null ? (
        <Select
          className={classes.group}
          aria-label="Group, by the reference"
          placeholder="All groups"
          renderOption={({ option: { label } }) => <PersonText text={label} wraps />}
          data={groupOptions(groups, group)}
          value={group === NO_REFERENCE ? NONE : group}
          onChange={(value) => onGroup(value === NONE ? NO_REFERENCE : value)}
          data-clears-filters
          filter={({ options, search }) => offeredGroups(options, search, groups, group)}
          searchable
          clearable
          limit={200}
          nothingFoundMessage="No such group"
          comboboxProps={{ portalProps: { target: '#content' } }}
          clearButtonProps={{ 'aria-label': 'All groups' }}
        />
      ) : null}
      <Button
        className={classes.showAll}
        title="Show all"
        variant="subtle"
        size="compact-sm"
        leftSection={<IconX size={15} aria-hidden="true" />}
        style={{ visibility: onClear ? undefined : 'hidden' }} // keeps its place, so that nothing beside it moves
        data-idle={onClear ? undefined : true}
        onClick={onClear}
      >
        <span className="wide-only">Show all</span>
      </Button>
      {tilesBy === undefined ? null : <TileOrder value={tilesBy} onChange={onTilesBy} />}
      <SegmentedControl
        aria-label="Size of the tiles"
        ms="auto"
        style={{ order: 3 }}
        data={densities}
        value={density}
        onChange={onDensity}
      />
    </Group>
  )
})

const FOLDED = 'folded'

/**
 * References are free text, and many belong to a single user. Typing finds those; the list begins with the real groups.
 */
function offeredGroups(
  options: ComboboxParsedItem[],
  search: string,
  groups: ReadonlyMap<string, number>,
  chosen: string | null,
) {
  const items = options.filter((option): option is ComboboxItem => 'value' in option)
  const words = search.trim().toLowerCase()
  if (words !== '') return items.filter(({ value, label }) => value !== FOLDED && label.toLowerCase().includes(words))
  if (!items.some(({ value }) => value === FOLDED)) return items
  return items.filter(({ value }) => value === chosen || value === NONE || groups.get(value) !== 1)
}

/** Keeps the chosen group in the list after its last user has left. */
function groupOptions(groups: ReadonlyMap<string, number>, chosen: string | null) {
  const all = chosen === null || groups.has(chosen) ? groups : new Map([...groups, [chosen, 0]])
  const options = [...all].map(([name, count]) => ({
    value: name === NO_REFERENCE ? NONE : name,
    label: `${name === NO_REFERENCE ? 'No reference' : name} (${count})`,
  }))
  const singles = [...all.values()].filter((count) => count === 1).length
  if (singles < 2 || singles === all.size) return options
  return [...options, { value: FOLDED, label: `${singles} more with one user each: type to find`, disabled: true }]
}
