import { Button } from '../ui/Button.tsx'
import type { IconName } from '../ui/Icon.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useWords } from '../words/language.ts'
import type { RoomView } from './room-session.ts'
import classes from './Trouble.module.css'

/** The others pass by themselves, so they need no button. */
const BY_TAP = ['sdk_failed', 'refused', 'removed', 'not_admitted']
const ICONS: Record<string, IconName> = {
  host_absent: 'clock',
  host_unknown: 'clock',
  meeting_ended: 'clock',
  waiting_room: 'clock',
}

type TroubleProps = { sound: RoomView['sound']; isOffline: boolean; onSoundOn: () => void }

/** Explains why there is no sound, and what happens next. */
export function Trouble({ sound, isOffline, onSoundOn }: TroubleProps) {
  const t = useWords()
  const { trouble, audio, zoom_code } = sound
  const note = isOffline ? t('room.cannot_speak_connection') : undefined
  if (trouble) {
    return (
      <Notice tone={ICONS[trouble] ? 'plain' : 'warn'} icon={ICONS[trouble] ?? 'alert'} title={t(`trouble.${trouble}`)}>
        <p>{t(`trouble.${trouble}_next`)}</p>
        {zoom_code === null ? null : <p className={classes.code}>{`Zoom ${zoom_code}`}</p>}
        {BY_TAP.includes(trouble) ? (
          <Button icon="refresh" off={isOffline} note={note} onPress={onSoundOn}>
            {t('app.try_again')}
          </Button>
        ) : null}
      </Notice>
    )
  }
  if (audio === 'on' || audio === 'joining' || audio === 'ready') return null
  return (
    <Button look="main" icon="sound" off={isOffline} note={note} onPress={onSoundOn}>
      {t('room.sound_on_button')}
    </Button>
  )
}
