import { useState } from 'react'
import classes from './RoomCard.module.css'

type RoomCardProps = {
  intro?: string
  roomName: string
  title: string | null
  logoUrl: string | null
}

/** Identifies the room, as its host presents it. */
export function RoomCard({ intro, roomName, title, logoUrl }: RoomCardProps) {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <section className={classes.room}>
      {logoUrl && logoUrl !== failed ? (
        <img src={logoUrl} alt="" className={classes.logo} onError={() => setFailed(logoUrl)} />
      ) : null}
      <div>
        {intro ? <p className={classes.soft}>{intro}</p> : null}
        <p className={classes.name}>
          <bdi>{title || roomName}</bdi>
        </p>
        {title && title !== roomName ? (
          <p className={classes.soft}>
            <bdi>{roomName}</bdi>
          </p>
        ) : null}
      </div>
    </section>
  )
}
