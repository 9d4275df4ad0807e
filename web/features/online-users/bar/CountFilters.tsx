import {
  IconDeviceMobile,
  IconDeviceMobileOff,
  IconHandStop,
  IconHourglassHigh,
  IconMicrophoneOff,
  IconVolume,
} from '@tabler/icons-react'
import { memo } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { countStates, doesMeetingRun, STATES, type StateFilter } from '../tiles/room-filter.ts'
import { NOT_ANSWERING } from '../tiles/tile-state.ts'
import classes from './bar.module.css'

const labels: Record<StateFilter, { word: string; icon: typeof IconVolume }> = {
  speaking: { word: 'Speaking', icon: IconVolume },
  'wants-to-speak': { word: 'Want to speak', icon: IconHandStop },
  muted: { word: 'Muted', icon: IconMicrophoneOff },
  'not-answering': { word: NOT_ANSWERING, icon: IconDeviceMobileOff },
  'not-confirmed': { word: 'Not confirmed', icon: IconHourglassHigh },
  'app-only': { word: 'Only in the app', icon: IconDeviceMobile },
}

export type CountFiltersProps = {
  store: LiveRoomStore
  isLive: boolean
  hasMeeting: boolean
  chosen: StateFilter | null
  onChoose: (state: StateFilter | null) => void
}

/** Counts the users in each state; a press shows only these, and another one everybody. */
export function CountFilters({ store, isLive, hasMeeting, chosen, onChoose }: CountFiltersProps) {
  const counts = useStore(
    store,
    useShallow(({ users }) => countStates(users, doesMeetingRun(isLive, users))),
  )
  return (
    <fieldset className={classes.counts} aria-label="Show only">
      {STATES.filter((state) => state !== 'app-only' || hasMeeting).map((state) => (
        <Count key={state} state={state} count={counts[state]} pressed={state === chosen} onChoose={onChoose} />
      ))}
    </fieldset>
  )
}

type CountProps = { state: StateFilter; count: number; pressed: boolean; onChoose: CountFiltersProps['onChoose'] }

const Count = memo(function Count({ state, count, pressed, onChoose }: CountProps) {
  const { word, icon: Icon } = labels[state]
  return (
    <button
      type="button"
      className={`choice ${classes.count}`}
      data-state={state}
      data-some={count > 0 || undefined}
      aria-pressed={pressed}
      onClick={() => onChoose(pressed ? null : state)}
    >
      <span className={classes.word}>{word}</span>
      <span className={classes.number}>
        <Icon size={16} stroke={1.9} aria-hidden="true" />
        {count}
      </span>
    </button>
  )
})
