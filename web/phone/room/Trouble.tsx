import { Button } from '../ui/Button.tsx'
import type { IconName } from '../ui/Icon.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useWords } from '../words/language.ts'
import type { RoomView } from './room-session.ts'

/** Those that pass by themselves need no button. */
const BY_TAP = ['sdk_failed', 'join_failed', 'removed']
const ICONS: Record<string, IconName> = { host_absent: 'clock', meeting_ended: 'clock' }

/** Why there is no sound, and what happens next. */
export function Trouble({ sound, onSoundOn }: { sound: RoomView['sound']; onSoundOn: () => void }) {
  const t = useWords()
  const { trouble, audio } = sound
  if (trouble) {
    return (
      <Notice tone={ICONS[trouble] ? 'plain' : 'warn'} icon={ICONS[trouble] ?? 'alert'} title={t(`trouble.${trouble}`)}>
        <p>{t(`trouble.${trouble}_next`)}</p>
        {BY_TAP.includes(trouble) ? (
          <Button icon="refresh" onPress={onSoundOn}>
            {t('app.try_again')}
          </Button>
        ) : null}
      </Notice>
    )
  }
  if (audio === 'on' || audio === 'joining') return null
  return (
    <Button look="main" icon="sound" onPress={onSoundOn}>
      {t('room.sound_on_button')}
    </Button>
  )
}
