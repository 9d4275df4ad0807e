import { IconHourglass } from '@tabler/icons-react'
import { LAST_SECONDS, stateOfTurn } from '../../../shared/turns.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { useNow } from '../../lib/use-now.ts'
import { useTranslate } from '../words/language.ts'
import classes from './AudioStatusBar.module.css'
import type { SpeakingTurn } from './room-session.ts'

const SECOND_MS = 1000

/** Counts down to the end of the user's turn, if the host has limited it: by the second, and aloud by the minute. */
export function TurnLine({ turn }: { turn: SpeakingTurn | null }) {
  const t = useTranslate()
  const limitMinutes = turn?.limitMinutes ?? null
  const now = useNow(limitMinutes === null ? null : SECOND_MS)
  const seconds = turn ? Math.max(0, Math.floor((now - turn.since) / SECOND_MS)) : 0
  const state = stateOfTurn(seconds, limitMinutes)
  const left = Math.max(0, (limitMinutes ?? 0) * 60 - seconds)
  const words = (shown: number) =>
    state === 'over' ? t('room.turn_over') : t('room.turn_left', { time: formatClock(shown) })
  return (
    <>
      {limitMinutes === null ? null : (
        <p className={classes.turn} data-state={state} aria-hidden="true">
          <IconHourglass size="1.2em" />
          {words(left)}
        </p>
      )}
      <p role="status" className="unseen">
        {limitMinutes === null ? null : words(state === 'ending' ? LAST_SECONDS : Math.ceil(left / 60) * 60)}
      </p>
    </>
  )
}
