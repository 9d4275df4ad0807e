import { Group, Stack, Text, Title } from '@mantine/core'
import { type MouseEvent, useCallback, useMemo, useState } from 'react'
import { normaliseForComparison } from '../../../../shared/normalise.ts'
import type { Attendee } from '../../../../shared/seat.ts'
import { useRights } from '../../../lib/session/rights.ts'
import { useClickGuard } from '../../../ui/use-click-guard.ts'
import { useFocusNeighbour } from '../../../ui/use-focus-neighbour.ts'
import type { SeatControl } from '../../../widgets/seat/keeper-view.ts'
import type { SeatStore } from '../../../widgets/seat/seat-store.ts'
import { canMute, isSeeing, waitingOf } from '../../../widgets/seat/seat-view.ts'
import type { LiveRoomStore } from '../live-room/live-room-store.ts'
import { useGuests } from '../live-room/use-guests.ts'
import { AskAll } from './AskAll.tsx'
import { confirmRemoval, useActOnAttendee, useBusyAttendees } from './act-on-attendee.ts'
import { GuestGrid } from './GuestGrid.tsx'
import { GuestMenu, type OpenGuestMenu } from './GuestMenu.tsx'
import classes from './guests.module.css'
import { Suggestions } from './Suggestions.tsx'
import { Unruly } from './Unruly.tsx'
import { WaitingRoom } from './WaitingRoom.tsx'

type GuestsProps = {
  store: LiveRoomStore
  seat: SeatStore
  control: SeatControl | null
  disabled: boolean
  words: string // searched for in their names
}

/** Shows those in the Zoom meeting who use no phone of Parley's, while a seat sees them. */
export function Guests({ store, seat, control, disabled, words }: GuestsProps) {
  const { view, guests, lastSeen, canAct } = useGuests(store)
  const searched = normaliseForComparison(words)
  const shown = useMemo(
    () => (searched === '' ? guests : guests.filter(({ name }) => normaliseForComparison(name).includes(searched))),
    [guests, searched],
  )
  const waiting = useMemo(() => waitingOf(view), [view])
  const busyKeys = useBusyAttendees()
  const act = useActOnAttendee(seat)
  const { managesUsers } = useRights()
  const keepsFocus = useFocusNeighbour('in-zoom-only')
  const [menu, setMenu] = useState<OpenGuestMenu | null>(null)
  const inMenu = menu ? view.attendees.get(menu.guest.key) : undefined
  const isMenuOpen = inMenu !== undefined
  if (menu && !isMenuOpen) setMenu(null) // stays closed when the guest comes back
  const isOff = disabled || !canAct
  const mayAskAll = managesUsers && guests.length > 0 && canMute(view) && !view.seat.lock
  const presses = useMemo(() => shown.map(pressOf), [shown])
  const isMeant = useClickGuard(presses, String(isMenuOpen))

  const handleMute = useCallback(
    (guest: Attendee, event: MouseEvent) => {
      if (isMeant(pressOf(guest), event)) void act(guest, guest.muted ? 'ask-unmute' : 'mute')
    },
    [isMeant, act],
  )
  const handleMenu = useCallback(
    (guest: Attendee, event: MouseEvent<HTMLElement>) => {
      const button = event.currentTarget
      if (isMeant(pressOf(guest), event)) setMenu({ guest, button, rect: button.getBoundingClientRect() })
    },
    [isMeant],
  )

  async function handleRemove(guest: Attendee) {
    if (await confirmRemoval(guest)) await act(guest, 'remove')
  }

  if (guests.length === 0 && waiting.length === 0 && !isSeeing(view)) return null
  return (
    <Stack component="section" ref={keepsFocus} gap="sm" miw={0} aria-labelledby="in-zoom-only">
      <Group justify="space-between" gap="xs" mih={30}>
        <Title order={2} fz="lg" id="in-zoom-only" tabIndex={-1} className={classes.title}>
          In Zoom only{countOf(guests.length + view.others, searched === '' ? null : shown.length)}
        </Title>
        {mayAskAll ? <AskAll seat={seat} disabled={isOff} /> : null}
      </Group>
      {control ? (
        <Unruly
          {...{ control, busyKeys }}
          attendees={view.attendees}
          disabled={isOff}
          onAct={act}
          onRemove={handleRemove}
        />
      ) : null}
      <Text component="p" className="unseen" role="status">
        {searched === '' || guests.length === 0 ? '' : `${shown.length} of ${guests.length} in Zoom only shown`}
      </Text>
      <WaitingRoom waiting={waiting} seat={seat} disabled={isOff} busyKeys={busyKeys} onAct={act} />
      <Suggestions guests={guests} disabled={isOff} />
      {guests.length === 0 ? (
        <Text c="dimmed" size="sm">
          All who are in the Zoom meeting use Parley’s phone app.
        </Text>
      ) : shown.length === 0 ? (
        <Text c="dimmed" size="sm">
          No name in Zoom only has “<bdi>{words.trim()}</bdi>” in it.
        </Text>
      ) : (
        <GuestGrid
          guests={shown}
          speaking={view.speaking}
          busyKeys={busyKeys}
          disabled={isOff}
          lastSeen={lastSeen}
          onMute={handleMute}
          onMenu={handleMenu}
        />
      )}
      {view.others > 0 ? (
        <Text c="dimmed" size="sm">
          And {view.others.toLocaleString('en')} more, who are not listed.
        </Text>
      ) : null}
      {menu && inMenu ? (
        <GuestMenu
          open={menu}
          guest={inMenu}
          disabled={isOff}
          onAct={act}
          onRemove={handleRemove}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </Stack>
  )
}

function countOf(all: number, shown: number | null): string {
  if (all === 0) return ''
  const count = all.toLocaleString('en')
  return shown === null ? ` (${count})` : ` (${shown.toLocaleString('en')} of ${count})`
}

/** The menu opens and the button acts, so a change of the microphone changes what a press does. */
const pressOf = ({ key, muted }: Attendee) => `${key} ${muted}`
