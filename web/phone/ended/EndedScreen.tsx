import {
  type Icon,
  IconCheck,
  IconClock,
  IconDeviceMobile,
  IconInfoCircle,
  IconLogout,
  IconUser,
  IconX,
} from '@tabler/icons-react'
import type { PhoneEnd } from '../../../shared/phone/obey.ts'
import { Button } from '../../ui/base/Button.tsx'
import { currentLoginText } from '../sign-in/current-login-text.ts'
import { useCurrentLogin } from '../sign-in/use-link-owner.ts'
import { Outcome } from '../ui/Screen.tsx'
import { UpdateNotice } from '../update/UpdateNotice.tsx'
import { useTranslate } from '../words/language.ts'
import type { WordKey } from '../words/words.ts'

type Ended = { icon: Icon; tone: 'brand' | 'warn'; button: WordKey }

const SCREENS: Record<PhoneEnd, Ended> = {
  left: { icon: IconCheck, tone: 'brand', button: 'ended.left_button' },
  other_tab: { icon: IconDeviceMobile, tone: 'brand', button: 'ended.other_tab_button' },
  signed_out: { icon: IconLogout, tone: 'brand', button: 'ended.button' },
  logout: { icon: IconLogout, tone: 'warn', button: 'ended.again_button' },
  deactivated: { icon: IconUser, tone: 'warn', button: 'ended.again_button' },
  deleted: { icon: IconUser, tone: 'warn', button: 'ended.button' },
  phone_changed: { icon: IconDeviceMobile, tone: 'warn', button: 'ended.again_button' },
  signed_in_elsewhere: { icon: IconDeviceMobile, tone: 'warn', button: 'ended.signed_in_elsewhere_button' },
  password_changed: { icon: IconInfoCircle, tone: 'warn', button: 'ended.again_button' },
  stopped: { icon: IconX, tone: 'warn', button: 'ended.again_button' },
  cancelled: { icon: IconX, tone: 'warn', button: 'ended.button' },
  subscription_inactive: { icon: IconClock, tone: 'warn', button: 'ended.again_button' },
}

/** These advise nothing but to sign in, which another tab may have done already. */
const SIGN_IN_ADVISED: readonly PhoneEnd[] = ['signed_out', 'signed_in_elsewhere', 'logout']

type EndedScreenProps = {
  end: PhoneEnd
  /** The session that another tab of the phone has kept since. */
  tokenNow: string | null
  isOld: boolean
  onGoOn: () => void
}

/** Explains why the stay is over, and what to do next. */
export function EndedScreen({ end, tokenNow, isOld, onGoOn }: EndedScreenProps) {
  const t = useTranslate()
  const { icon, tone, button } = SCREENS[end]
  const current = useCurrentLogin(tokenNow)
  const isSignedIn = current !== null
  return (
    <Outcome
      icon={icon}
      tone={tone}
      title={t(`ended.${end}`)}
      {...(isSignedIn && SIGN_IN_ADVISED.includes(end) ? {} : { text: t(`ended.${end}_next`) })}
      actions={
        <Button look="filled" size="large" onClick={onGoOn}>
          {t(isSignedIn ? 'ended.go_on_button' : button)}
        </Button>
      }
    >
      {current ? <p role="status">{currentLoginText(t, current)}</p> : null}
      {isOld ? <UpdateNotice /> : null}
    </Outcome>
  )
}
