import { IconAlertTriangle, IconCircleCheck, IconHandClick, IconHourglassHigh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Connection } from '../live-room/connection.ts'
import { useTime } from '../use-time.ts'
import { type Delivery, deliveryNews } from './delivery.ts'
import classes from './RoomSummary.module.css'

type RoomNewsProps = { connection: Connection; delivery: Delivery | null; undo: ReactNode }

const LOOK_MS = 500

/** One line of constant height: that the page is out of date, else how the last command fares, else a hint. */
export function RoomNews({ connection, delivery, undo }: RoomNewsProps) {
  const now = useTime(delivery === null ? null : LOOK_MS)
  const news = delivery && deliveryNews(delivery, now)

  if (connection === 'stale') {
    return (
      <div className={classes.news} data-tone="bad">
        <IconAlertTriangle size={17} aria-hidden="true" />
        <span role="alert">No answer from the server. This may be out of date, so its buttons are off.</span>
      </div>
    )
  }
  return (
    <div className={classes.news} data-tone={news ? (news.settled ? 'good' : 'warn') : undefined}>
      {news ? (
        news.settled ? (
          <IconCircleCheck size={17} aria-hidden="true" />
        ) : (
          <IconHourglassHigh size={17} aria-hidden="true" />
        )
      ) : (
        <IconHandClick size={17} aria-hidden="true" />
      )}
      {news?.settled ? null : <span>{news ? news.text : 'Click a muted tile to let that person speak.'}</span>}
      {/* Only the outcome is read out: the numbers on the way there change twice a second. */}
      <span role="status">{news?.settled ? news.text : ''}</span>
      {undo}
    </div>
  )
}
