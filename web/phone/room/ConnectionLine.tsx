import { type Icon, IconCheck, IconClock, IconWifiOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslate } from '../words/language.ts'
import type { WordKey } from '../words/words.ts'
import classes from './AudioStatusBar.module.css'
import type { RoomView } from './room-session.ts'

const BACK_MS = 5_000

/** Shows the connection to Parley, which is separate from the sound's. */
export function ConnectionLine({ connection }: { connection: RoomView['connection'] }) {
  const [wasLost, setWasLost] = useState(false)
  if (connection === 'lost' && !wasLost) setWasLost(true)
  const isBack = connection === 'open' && wasLost
  useEffect(() => {
    if (!isBack) return
    const timer = setTimeout(() => setWasLost(false), BACK_MS)
    return () => clearTimeout(timer)
  }, [isBack])

  return (
    <div role="status" className={classes.connection}>
      {connection === 'lost' ? <Line tone="lost" icon={IconWifiOff} words="room.connection_lost" /> : null}
      {connection === 'connecting' && !wasLost ? <Line tone="off" icon={IconClock} words="room.connecting" /> : null}
      {isBack ? <Line tone="off" icon={IconCheck} words="room.connection_back" /> : null}
    </div>
  )
}

function Line({ tone, icon: Icon, words }: { tone: 'lost' | 'off'; icon: Icon; words: WordKey }) {
  const t = useTranslate()
  return (
    <p className={classes.row} data-tone={tone}>
      <span className={classes.icon}>
        <Icon size="1.4em" aria-hidden="true" />
      </span>
      <span>{t(words)}</span>
    </p>
  )
}
