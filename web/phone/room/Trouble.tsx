import { type Icon, IconAlertTriangle, IconClock, IconRefresh, IconVolume } from '@tabler/icons-react'
import { Button } from '../../ui/base/Button.tsx'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { useTranslate } from '../words/language.ts'
import type { RoomView } from './room-session.ts'
import classes from './Trouble.module.css'

/** The others pass by themselves, so they need no button. */
const BY_TAP = ['sdk_failed', 'refused', 'removed', 'not_admitted']
const ICONS: Record<string, Icon> = {
  host_absent: IconClock,
  host_unknown: IconClock,
  meeting_ended: IconClock,
  waiting_room: IconClock,
}

type TroubleProps = { sound: RoomView['sound']; isOffline: boolean; onSoundOn: () => void }

/** Explains why there is no sound, and what happens next. */
export function Trouble({ sound, isOffline, onSoundOn }: TroubleProps) {
  const t = useTranslate()
  const { trouble, audio, zoom_code } = sound
  const note = isOffline ? t('room.cannot_speak_connection') : undefined
  if (trouble) {
    return (
      <LightNotice
        tone={ICONS[trouble] ? 'quiet' : 'warn'}
        icon={ICONS[trouble] ?? IconAlertTriangle}
        title={t(`trouble.${trouble}`)}
      >
        <p>{t(`trouble.${trouble}_next`)}</p>
        {zoom_code === null ? null : <p className={classes.code}>{`Zoom ${zoom_code}`}</p>}
        {BY_TAP.includes(trouble) ? (
          <Button icon={IconRefresh} off={isOffline} note={note} onClick={onSoundOn}>
            {t('app.try_again')}
          </Button>
        ) : null}
      </LightNotice>
    )
  }
  if (audio === 'on' || audio === 'joining' || audio === 'ready') return null
  return (
    <Button look="filled" size="large" icon={IconVolume} off={isOffline} note={note} onClick={onSoundOn}>
      {t('room.sound_on_button')}
    </Button>
  )
}
