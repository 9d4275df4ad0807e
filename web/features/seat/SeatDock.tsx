import { Button, Group, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArmchair, IconArrowsDiagonal, IconArrowsDiagonalMinimize2, IconMinus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { z } from 'zod'
import { useNow } from '../../lib/use-now.ts'
import { hostRoom } from '../../queries/rooms.ts'
import { IconButton } from '../../ui/base/Button.tsx'
import { SteadyButton } from '../../ui/SteadyButton.tsx'
import { useStored } from '../../ui/use-stored.ts'
import { useKeeperView } from '../../widgets/seat/seat-context.ts'
import { LeaveSeat } from './LeaveSeat.tsx'
import classes from './SeatDock.module.css'
import type { SeatKeeper } from './seat-keeper.ts'
import { noticeWords, seatWords } from './seat-words.ts'

const Size = z.enum(['line', 'small', 'large'])
type Size = z.infer<typeof Size>

type SeatDockProps = { keeper: SeatKeeper; container: HTMLElement }

/** The frame of the page's seat in a corner of every page, with its state in words. Zoom's own notices stay in sight. */
export function SeatDock({ keeper, container }: SeatDockProps) {
  const view = useKeeperView(keeper)
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [chosen, setSize] = useStored<Size | null>('parley.seat-dock', Size.nullable(), null)
  const preferred = chosen ?? (isPhone ? 'line' : 'small')
  const isPressAwaited = view.phase === 'in' && view.frame.sound === 'ready'
  const size = isPressAwaited && preferred === 'line' ? 'small' : preferred // a third of its size cannot be pressed
  const [isLeaving, setLeaving] = useState(false)
  const isOff = view.phase === 'off'
  const isLarge = size === 'large' && !isOff
  const measure = useCallback((dock: HTMLElement | null) => (dock && !isLarge ? keepClear(dock) : undefined), [isLarge])
  if (isOff && view.notice === null) return null
  return (
    <section
      ref={measure}
      className={`no-print ${classes.dock}`}
      data-size={isOff ? 'notice' : size}
      aria-label="The host’s seat"
    >
      <div className={classes.head}>
        <Words keeper={keeper} />
        {isOff ? (
          <IconButton label="Close" onClick={() => keeper.dismiss()}>
            <IconX size={16} aria-hidden="true" />
          </IconButton>
        ) : (
          <Group gap={2} wrap="nowrap" flex="none">
            {isLarge ? null : (
              <IconButton
                label={size === 'line' ? 'Show the seat' : 'Fold the seat'}
                aria-expanded={size !== 'line'}
                onClick={() => setSize(size === 'line' ? 'small' : 'line')}
              >
                {size === 'line' ? (
                  <IconArmchair size={16} aria-hidden="true" />
                ) : (
                  <IconMinus size={16} aria-hidden="true" />
                )}
              </IconButton>
            )}
            <IconButton
              label={isLarge ? 'Make the seat small' : 'Make the seat large'}
              onClick={() => setSize(isLarge ? 'small' : 'large')}
            >
              {isLarge ? (
                <IconArrowsDiagonalMinimize2 size={16} aria-hidden="true" />
              ) : (
                <IconArrowsDiagonal size={16} aria-hidden="true" />
              )}
            </IconButton>
            <IconButton label="Leave the seat" disabled={view.phase === 'leaving'} onClick={() => setLeaving(true)}>
              <IconX size={16} aria-hidden="true" />
            </IconButton>
          </Group>
        )}
      </div>
      <div className={classes.frame} hidden={isOff} ref={(element) => void (element && holdIn(element, container))} />
      {isLarge ? (
        <Text className={classes.tip} size="sm">
          Under Mute All, the seat mutes again those who unmute in Zoom. To make unmuting impossible, press Mute All in
          Zoom’s own panel above, and untick the box that lets all unmute themselves.
        </Text>
      ) : null}
      {isLeaving && !isOff ? <LeaveSeat keeper={keeper} onClose={() => setLeaving(false)} /> : null}
    </section>
  )
}

/** Keeps the dock's height in `--seat-dock`, so that the page can be scrolled clear of it. */
function keepClear(dock: HTMLElement): () => void {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--seat-dock', `${dock.offsetHeight}px`))
  observer.observe(dock)
  return () => {
    observer.disconnect()
    style.removeProperty('--seat-dock')
  }
}

/** Moving a frame would load it again, so it is moved only when the dock appears. */
function holdIn(element: HTMLElement, container: HTMLElement) {
  if (container.parentElement !== element) element.append(container)
}

function Words({ keeper }: { keeper: SeatKeeper }) {
  const view = useKeeperView(keeper)
  const { phase, way, frame, retryAt, hiddenSince, notice, offersSound, hasSound, isSwitching } = view
  const now = useNow(retryAt === null && hiddenSince === null ? null : 1000)
  const admitsGuest = useQuery(hostRoom).data?.in_zoom_app?.admits_seat_as_guest === true
  const { tone, title, hint } = phase === 'off' && notice ? noticeWords(notice, admitsGuest) : seatWords(view, now)
  return (
    <div className={classes.words} data-tone={tone}>
      <span role="status">
        <strong>{title}</strong>
        {hint ? <span className={classes.hint}>{hint}</span> : null}
      </span>
      {phase === 'in' && frame.is_recording ? (
        <span className={classes.hint}>The meeting is being recorded.</span>
      ) : null}
      {retryAt === null ? null : (
        <Group gap={8} mt={4}>
          <span className={classes.hint}>Next attempt in {Math.max(0, Math.ceil((retryAt - now) / 1000))} s</span>
          <Button size="xs" variant="default" onClick={() => keeper.retryNow()}>
            Try now
          </Button>
        </Group>
      )}
      {phase === 'in' && frame.powers === 'none' && way === 'host' ? (
        <Button size="xs" variant="default" onClick={() => keeper.reclaimHost()}>
          Take over from your Zoom app
        </Button>
      ) : null}
      {offersSound && (isSwitching || (phase === 'in' && frame.powers !== 'none')) ? (
        <SteadyButton size="xs" variant="default" busy={isSwitching} onClick={() => void keeper.switchSound(!hasSound)}>
          {hasSound ? (frame.sound === 'on' ? 'Leave the sound' : 'Stay without sound') : 'Join the sound'}
        </SteadyButton>
      ) : null}
      {phase === 'off' && notice ? <NextStep keeper={keeper} admitsGuest={admitsGuest} /> : null}
    </div>
  )
}

/** Offers what may help after a seat has ended, or was not taken. */
function NextStep({ keeper, admitsGuest }: { keeper: SeatKeeper; admitsGuest: boolean }) {
  const { notice } = useKeeperView(keeper)
  if (notice?.kind === 'taken' || notice?.kind === 'taken-over') {
    return (
      <Button size="xs" variant="default" onClick={() => void keeper.take('host', true)}>
        Take the seat over
      </Button>
    )
  }
  if (notice?.kind === 'ended' && notice.reason === 'elsewhere' && admitsGuest) {
    return (
      <Button size="xs" variant="default" onClick={() => void keeper.take('guest')}>
        Join as co-host
      </Button>
    )
  }
  if (notice?.kind === 'ended' && ['meeting_ended', 'left', 'sdk_too_old'].includes(notice.reason)) return null
  return (
    <Button size="xs" variant="default" onClick={() => void keeper.take('host')}>
      Try again
    </Button>
  )
}
