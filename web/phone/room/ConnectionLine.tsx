import { useEffect, useState } from 'react'
import { Notice } from '../ui/Notice.tsx'
import { useWords } from '../words/language.ts'
import type { RoomView } from './room-session.ts'

const BACK_MS = 5_000

/** The connection to Parley, which is another one than that of the sound. */
export function ConnectionLine({ connection }: { connection: RoomView['connection'] }) {
  const t = useWords()
  const [wasLost, setWasLost] = useState(false)
  if (connection === 'lost' && !wasLost) setWasLost(true)
  const isBack = connection === 'open' && wasLost
  useEffect(() => {
    if (!isBack) return
    const timer = setTimeout(() => setWasLost(false), BACK_MS)
    return () => clearTimeout(timer)
  }, [isBack])

  return (
    <div role="status">
      {connection === 'lost' ? (
        <Notice tone="bad" icon="disconnected" title={t('room.connection_lost')}>
          <p>{t('room.connection_lost_detail')}</p>
        </Notice>
      ) : null}
      {connection === 'connecting' && !wasLost ? <Notice icon="clock" title={t('room.connecting')} /> : null}
      {isBack ? <Notice tone="good" icon="check" title={t('room.connection_back')} /> : null}
    </div>
  )
}
