import { Icon } from '../ui/Icon.tsx'
import { useWords } from '../words/language.ts'
import { speakersOf } from './own-state.ts'
import classes from './RoomFacts.module.css'
import type { RoomView } from './room-session.ts'

/** Shows the speakers, and the number of raised hands. */
export function RoomFacts({ view }: { view: RoomView }) {
  const t = useWords()
  const speakers = speakersOf(view)
  const waiting = view.now?.waiting ?? 0
  return (
    <section className={classes.facts}>
      <h2>{t(speakers.length > 0 ? 'room.speaking' : 'room.nobody_speaks')}</h2>
      {speakers.length > 0 ? (
        <ul>
          {speakers.map((name) => (
            <li key={name}>
              <Icon name="sound" /> <span dir="auto">{name}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {waiting > 0 ? (
        <p className={classes.waiting}>
          <Icon name="hand" /> {t('room.waiting', { count: waiting })}
        </p>
      ) : null}
    </section>
  )
}
