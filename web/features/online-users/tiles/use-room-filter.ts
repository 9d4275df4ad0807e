import { useCallback, useMemo, useState } from 'react'
import { useFilterParam } from '../../../lib/use-filter-param.ts'
import { NO_FILTER, type RoomFilter, type StateFilter } from './room-filter.ts'

/** What of the room is shown. The header's search sets the words by an address, which clears the rest. */
export function useRoomFilter() {
  const [choice, setChoice] = useState<Omit<RoomFilter, 'words'>>(NO_FILTER)
  const [words, setWords] = useFilterParam(useCallback(() => setChoice(NO_FILTER), []))
  return {
    filter: useMemo(() => ({ state: choice.state, group: choice.group, words }), [choice, words]),
    setWords,
    setState: useCallback((state: StateFilter | null) => setChoice((last) => ({ ...last, state })), []),
    setGroup: useCallback((group: string | null) => setChoice((last) => ({ ...last, group })), []),
    clear: useCallback(() => {
      setWords('')
      setChoice(NO_FILTER)
    }, [setWords]),
  }
}
