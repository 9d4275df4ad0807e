import { Icon } from '../ui/Icon.tsx'
import { useWords } from '../words/language.ts'
import classes from './OwnState.module.css'
import { ownStateOf } from './own-state.ts'
import type { RoomView } from './room-session.ts'

export function OwnState({ view }: { view: RoomView }) {
  const t = useWords()
  const { tone, icon, title, detail } = ownStateOf(view)
  const isMutedToo = view.state.is_muted && tone === 'none'
  return (
    <section className={classes.state} data-tone={tone}>
      <span className={classes.disc}>
        <Icon name={icon} size={1.7} />
      </span>
      <div role="status">
        <p className={classes.title}>{t(title)}</p>
        <p>{t(detail)}</p>
        {isMutedToo ? (
          <p>{t(view.state.host_mute_all_active ? 'room.cannot_speak_all' : 'room.cannot_speak_muted')}</p>
        ) : null}
      </div>
    </section>
  )
}
