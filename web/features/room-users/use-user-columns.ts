import { useLocalStorage } from '@mantine/hooks'
import { type ColumnVisibilityState, functionalUpdate, type Updater } from '@tanstack/react-table'
import { useCallback, useMemo } from 'react'
import { ROOM_COLUMN } from './user-columns.tsx'

/**
 * Which columns are shown. All of them until the host chooses; from then on without Room, which is the same in every
 * row, unless it is chosen.
 */
export function useUserColumns() {
  const [stored, setHidden] = useLocalStorage<string[] | null>({
    key: 'parley.hidden-user-columns',
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const hidden = Array.isArray(stored) ? stored : null
  const columnVisibility = useMemo(() => Object.fromEntries((hidden ?? []).map((id) => [id, false])), [hidden])
  const onColumnVisibilityChange = useCallback(
    (update: Updater<ColumnVisibilityState>) => {
      const visibility = functionalUpdate(update, columnVisibility)
      const chosen = Object.keys(visibility).filter((id) => visibility[id] === false)
      setHidden(hidden === null ? [...new Set([...chosen, ROOM_COLUMN])] : chosen)
    },
    [columnVisibility, hidden, setHidden],
  )
  return { columnVisibility, onColumnVisibilityChange }
}
