import { useCallback, useMemo, useState } from 'react'

/** The same from poll to poll, so that no row is drawn anew for it. */
const NOBODY: ReadonlySet<string> = new Set()

/** Which rows are chosen. One that has left the list is no longer chosen, and no act can reach it unseen. */
export function useSelection(ids: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = useMemo(
    () => (chosen.size === 0 ? NOBODY : new Set(ids.filter((id) => chosen.has(id)))),
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
