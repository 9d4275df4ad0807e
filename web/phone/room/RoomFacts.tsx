import { IconHandStop, IconVolume } from '@tabler/icons-react'
import screen from '../ui/Screen.module.css'
import { useTranslate } from '../words/language.ts'
import { speakersOf } from './audio-status.ts'
import classes from './RoomFacts.module.css'
import type { RoomView } from './room-session.ts'

/** Shows the speakers and the number of raised hands, as far as they are known. */
export function RoomFacts({ view }: { view: RoomView }) {
  const t = useTranslate()
  const speakers = speakersOf(view)
  const waiting = view.now?.waiting ?? 0
  if (!view.now && speakers.length === 0) return null
  return (
    <section className={`${screen.card} ${classes.facts}`}>
      <h2 className={screen.cardTitle}>{t(speakers.length > 0 ? 'room.speaking' : 'room.nobody_speaks')}</h2>
      {speakers.length > 0 ? (
        <ul>
          {speakers.map((name) => (
            <li key={name}>
              <IconVolume size="1.4em" aria-hidden="true" /> <span dir="auto">{name}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {waiting > 0 ? (
        <p className={classes.waiting}>
          <IconHandStop size="1.4em" aria-hidden="true" /> {t('room.waiting', { count: waiting })}
        </p>
      ) : null}
    </section>
  )
}
