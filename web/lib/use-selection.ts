import { useCallback, useMemo, useState } from 'react'

/** The same object from poll to poll, so that no row is rendered again for it. */
const NONE: ReadonlySet<string> = new Set()

/** A row that leaves the list is no longer selected, so that no action reaches a row that is not on screen. */
export function useSelection(ids: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = useMemo(
    () => (chosen.size === 0 ? NONE : new Set(ids.filter((id) => chosen.has(id)))),
    [ids, chosen],
  )

  const select = useCallback((id: string, isSelected: boolean) => {
    setChosen((before) => {
      const after = new Set(before)
      if (isSelected) after.add(id)
      else after.delete(id)
      return after
    })
  }, [])
  const selectAll = useCallback((isSelected: boolean) => setChosen(new Set(isSelected ? ids : [])), [ids])

  return { selected, allSelected: ids.length > 0 && selected.size === ids.length, select, selectAll }
}
