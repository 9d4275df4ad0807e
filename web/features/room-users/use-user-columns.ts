import { type ColumnVisibilityState, functionalUpdate, type Updater } from '@tanstack/react-table'
import { useCallback, useMemo } from 'react'
import { z } from 'zod'
import { useStored } from '../../ui/use-stored.ts'
import { ROOM_COLUMN } from './user-columns.tsx'

const UNCHOSEN = [ROOM_COLUMN]
const Hidden = z.array(z.string())

/** Remembers the host's choice of columns. The default hides Room, which is the same in every row. */
export function useUserColumns() {
  const [hidden, setHidden] = useStored('parley.hidden-user-columns', Hidden, UNCHOSEN)
  const columnVisibility = useMemo(() => Object.fromEntries(hidden.map((id) => [id, false])), [hidden])
  const onColumnVisibilityChange = useCallback(
    (update: Updater<ColumnVisibilityState>) => {
      const visibility = functionalUpdate(update, columnVisibility)
      setHidden(Object.keys(visibility).filter((id) => visibility[id] === false))
    },
    [columnVisibility, setHidden],
  )
  return { columnVisibility, onColumnVisibilityChange }
}
