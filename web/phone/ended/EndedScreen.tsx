import type { PhoneEnd } from '../../../shared/phone/obey.ts'
import { Button } from '../ui/Button.tsx'
import type { IconName } from '../ui/Icon.tsx'
import { Outcome } from '../ui/Screen.tsx'
import { UpdateNotice } from '../update/UpdateNotice.tsx'
import { useWords } from '../words/language.ts'
import type { WordKey } from '../words/words.ts'

type Ended = { icon: IconName; tone: 'brand' | 'warn'; button: WordKey }

const SCREENS: Record<PhoneEnd, Ended> = {
  left: { icon: 'check', tone: 'brand', button: 'ended.left_button' },
  other_tab: { icon: 'screen', tone: 'brand', button: 'ended.other_tab_button' },
  signed_out: { icon: 'leave', tone: 'brand', button: 'ended.button' },
  logout: { icon: 'leave', tone: 'warn', button: 'ended.again_button' },
  deactivated: { icon: 'person', tone: 'warn', button: 'ended.again_button' },
  deleted: { icon: 'person', tone: 'warn', button: 'ended.button' },
  phone_changed: { icon: 'screen', tone: 'warn', button: 'ended.again_button' },
  signed_in_elsewhere: { icon: 'screen', tone: 'warn', button: 'ended.signed_in_elsewhere_button' },
  password_changed: { icon: 'info', tone: 'warn', button: 'ended.again_button' },
  stopped: { icon: 'close', tone: 'warn', button: 'ended.again_button' },
  cancelled: { icon: 'close', tone: 'warn', button: 'ended.button' },
  subscription_inactive: { icon: 'clock', tone: 'warn', button: 'ended.again_button' },
}

type EndedScreenProps = { end: PhoneEnd; isOld: boolean; onGoOn: () => void }

/** Explains why the stay is over, and what to do next. */
export function EndedScreen({ end, isOld, onGoOn }: EndedScreenProps) {
  const t = useWords()
  const { icon, tone, button } = SCREENS[end]
  return (
    <Outcome
      icon={icon}
      tone={tone}
      title={t(`ended.${end}`)}
      text={t(`ended.${end}_next`)}
      actions={
        <Button look="main" onPress={onGoOn}>
          {t(button)}
        </Button>
      }
    >
      {isOld ? <UpdateNotice /> : null}
    </Outcome>
  )
}
