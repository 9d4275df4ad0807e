import { Box } from '@mantine/core'
import { IconDeviceMobileOff, IconMicrophoneOff, IconUsersMinus } from '@tabler/icons-react'
import { memo, type ReactNode, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { ButtonPopover } from '../../../ui/ButtonPopover.tsx'
import { IconButton } from '../../../ui/base/Button.tsx'
import { PersonText } from '../../../ui/PersonText.tsx'
import { type ClickGuard, useClickGuard } from '../../../ui/use-click-guard.ts'
import { useElementOffset } from '../../../ui/use-element-offset.ts'
import { useSeat } from '../../../widgets/seat/seat-context.ts'
import type { MuteOthers } from '../controls/mute-all.ts'
import type { Act } from '../controls/participant-actions.ts'
import { floorUserOf, type LiveRoomStore, usersOf } from '../live-room/live-room-store.ts'
import { Elapsed } from '../live-room/ServerTime.tsx'
import { useGuests } from '../live-room/use-guests.ts'
import { NOT_ANSWERING } from '../tiles/tile-state.ts'
import { GuestSpeaker } from './GuestSpeaker.tsx'
import classes from './speakers.module.css'
import { TurnAnnouncer, TurnClock } from './TurnClock.tsx'

/** The smallest width in px of a speaker with its buttons; `MORE_WIDTH` and `GAP` match the style sheet. */
const SPEAKER_WIDTH = 250
/** More columns would cut names on a wide screen; the other speakers open from "+n". */
const MOST_COLUMNS = 3
const MORE_WIDTH = 56
const GAP = 6

type ActiveUsersProps = {
  store: LiveRoomStore
  disabled: boolean
  onAct: Act
  onMuteOthers: MuteOthers
  /** Lines of speakers, one above the other. */
  rows: 1 | 2
}

/** The height is fixed, so that nothing moves when someone starts to speak; speakers who do not fit open from "+n". */
export const ActiveUsers = memo(function ActiveUsers({ store, disabled, onAct, onMuteOthers, rows }: ActiveUsersProps) {
  const users = useStore(store, usersOf)
  const floorUser = useStore(store, floorUserOf)
  const speaking = useMemo(() => users.filter((user) => user.is_speaking), [users])
  const shown = useMemo(() => withFloorFirst(speaking, floorUser), [speaking, floorUser])
  const seat = useSeat()
  const { guests, view, canAct } = useGuests(store)
  const speakingGuests = useMemo(() => guests.filter(({ key }) => view.speaking.has(key)), [guests, view.speaking])
  const ids = useMemo(
    () => [...shown.map(({ id }) => id), ...speakingGuests.map(({ key }) => key)],
    [shown, speakingGuests],
  )
  const isMeant = useClickGuard(ids)
  const ref = useRef<HTMLDivElement>(null)
  const { width } = useElementOffset(ref)
  const fit = fitSpeakers(width, rows)
  const count = speaking.length + speakingGuests.length

  const speakers = [
    ...shown.map((user) => (
      <Speaker
        key={user.id}
        {...{ user, disabled, isMeant, onAct, onMuteOthers }}
        turn={user === floorUser ? <TurnClock store={store} /> : null}
      />
    )),
    ...(seat
      ? speakingGuests.map((guest) => (
          <GuestSpeaker
            key={guest.key}
            seat={seat.store}
            guest={guest}
            disabled={disabled || !canAct}
            {...{ isMeant }}
          />
        ))
      : []),
  ]
  const rest = speakers.slice(fit.count)
  return (
    <section className={classes.active} data-rows={rows} aria-labelledby="active-users">
      <h2 id="active-users" className={`wide-only ${classes.title}`}>
        Active Users
        {count > 0 ? (
          <Box component="span" className="chip" bg="var(--bad-soft)" c="var(--bad)">
            {count}
          </Box>
        ) : null}
      </h2>
      <TurnAnnouncer store={store} />
      <div ref={ref} className={classes.line}>
        {speakers.length === 0 ? (
          <Box component="p" className={classes.empty} m={0} fz="sm" c="dimmed">
            No one is speaking
          </Box>
        ) : (
          <ul
            className={classes.speakers}
            aria-label="Speaking now"
            style={{ gridTemplateColumns: `repeat(${Math.ceil(fit.count / rows)}, ${fit.size}px)` }}
          >
            {speakers.slice(0, fit.count)}
          </ul>
        )}
        {rest.length > 0 ? <MoreSpeakers count={rest.length}>{rest}</MoreSpeakers> : null}
      </div>
    </section>
  )
})

/** Keeps the user who has the floor in the first place, also during a pause. */
function withFloorFirst(speaking: readonly RoomUser[], floorUser: RoomUser | undefined): readonly RoomUser[] {
  return floorUser ? [floorUser, ...speaking.filter(({ id }) => id !== floorUser.id)] : speaking
}

/**
 * Returns how many speakers fit beside the "+n" for the others, at least one, and the width of each. Depends only on
 * the width, so that no button moves when the number of speakers changes.
 */
export function fitSpeakers(width: number, rows = 1): { count: number; size: number } {
  const room = Math.max(0, width - MORE_WIDTH - GAP)
  const columns = Math.min(MOST_COLUMNS, Math.max(1, Math.floor((room + GAP) / (SPEAKER_WIDTH + GAP))))
  return { count: columns * rows, size: Math.floor((room - (columns - 1) * GAP) / columns) }
}

function MoreSpeakers({ count, children }: { count: number; children: ReactNode }) {
  return (
    <ButtonPopover
      label="Other speakers"
      className={classes.dropdown}
      position="bottom-end"
      button={(toggle) => (
        <button
          type="button"
          className={classes.others}
          aria-label={`${count} more ${count === 1 ? 'speaker' : 'speakers'}`}
          onClick={toggle}
        >
          +{count}
        </button>
      )}
    >
      <ul className={classes.speakers} data-column>
        {children}
      </ul>
    </ButtonPopover>
  )
}

type SpeakerProps = Omit<ActiveUsersProps, 'store' | 'rows'> & {
  user: RoomUser
  /** The clock of the user who has the floor. */
  turn: ReactNode
  isMeant: ClickGuard
}

const Speaker = memo(function Speaker({ user, turn, disabled, isMeant, onAct, onMuteOthers }: SpeakerProps) {
  return (
    <li className={classes.speaker} data-disabled={disabled || undefined} data-silent={!user.is_speaking || undefined}>
      {user.asleep ? <IconDeviceMobileOff size={16} stroke={1.9} role="img" aria-label={NOT_ANSWERING} /> : null}
      <PersonText text={user.username} className={`two-lines ${classes.name}`} wraps />
      {turn ?? (
        <Box component="span" flex="none" miw={36} fz="xs" ta="end">
          <Elapsed since={user.speaking_since} />
        </Box>
      )}
      <IconButton
        className={classes.mute}
        label={`Mute all but ${user.username}`}
        disabled={disabled}
        onClick={(event) => {
          if (isMeant(user.id, event)) void onMuteOthers(user)
        }}
      >
        <IconUsersMinus size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        className={classes.mute}
        label={`Mute ${user.username}`}
        disabled={disabled}
        onClick={(event) => {
          if (isMeant(user.id, event)) void onAct(user, 'mute')
        }}
      >
        <IconMicrophoneOff size={16} aria-hidden="true" />
      </IconButton>
    </li>
  )
})
