import { Button, Center, Group, SegmentedControl, TextInput, VisuallyHidden } from '@mantine/core'
import { IconGridDots, IconLayoutGrid, IconList, IconSearch, IconX } from '@tabler/icons-react'
import { memo, type RefObject } from 'react'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { DENSITIES, type Density } from './density.ts'
import { GroupSelect } from './GroupSelect.tsx'
import type { ChosenGroup } from './room-filter.ts'
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

type ToolbarProps = {
  inputRef: RefObject<HTMLInputElement | null>
  words: string
  onWords: (words: string) => void
  onEnter: () => void
  groups: readonly UserGroup[]
  /** The number of online users in each group, by its id. */
  members: ReadonlyMap<string, number>
  /** The number of online users with each reference. */
  references: ReadonlyMap<string, number>
  group: ChosenGroup | null
  onGroup: (group: ChosenGroup | null) => void
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
  const { inputRef, words, onWords, onEnter, groups, members, references, group, onGroup } = props
  const { tilesBy, onTilesBy, density, onDensity, onClear } = props
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
      {groups.length > 0 || references.size > 0 || group !== null ? (
        <GroupSelect groups={groups} members={members} references={references} group={group} onGroup={onGroup} />
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
