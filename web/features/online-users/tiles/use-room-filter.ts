import { useCallback, useMemo, useState } from 'react'
import { type ChosenGroup, NO_FILTER, type RoomFilter, type StateFilter } from './room-filter.ts'

export function useRoomFilter() {
  const [choice, setChoice] = useState<Omit<RoomFilter, 'words'>>(NO_FILTER)
  const [words, setWords] = useState('')
  return {
    filter: useMemo(() => ({ state: choice.state, group: choice.group, words }), [choice, words]),
    setWords,
    setState: useCallback((state: StateFilter | null) => setChoice((last) => ({ ...last, state })), []),
    setGroup: useCallback((group: ChosenGroup | null) => setChoice((last) => ({ ...last, group })), []),
    clear: useCallback(() => {
      setWords('')
      setChoice(NO_FILTER)
    }, []),
  }
}
