import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { Login } from '../../../shared/phone/phone.ts'
import { Button } from '../../ui/base/Button.tsx'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { canStoreData } from '../storage.ts'
import { Screen } from '../ui/Screen.tsx'
import { useLeaving } from '../ui/use-leaving.ts'
import { useTranslate } from '../words/language.ts'
import type { LinkParams } from './address.ts'
import { loginPhoneByLink } from './calls.ts'
import { currentLoginText } from './current-login-text.ts'
import { ProblemNotice } from './ProblemNotice.tsx'
import { RoomCard } from './RoomCard.tsx'
import { StorageBlockedNotice } from './StorageBlockedNotice.tsx'
import { withSignInLock } from './sign-in-lock.ts'
import { type SignInProblem, signInProblemOf } from './sign-in-problem.ts'
import { useBranding } from './use-branding.ts'
import { useCountdown } from './use-countdown.ts'
import { useCurrentLogin, useLinkOwner } from './use-link-owner.ts'

/** After a spent link, the way on is the main action. */
const MAIN = { look: 'filled', size: 'large' } as const

type LinkProps = {
  link: LinkParams
  /** The phone's current session, which a sign-in ends. */
  tokenNow: string | null
  onSignedIn: (login: Login) => void
  /** Returns true if this phone has used the link, perhaps in another tab, and goes on with that session. */
  onUsed: () => boolean
  onStay: () => void
  onOther: () => void
}

/** A one-time link. Only a tap uses it up, since a chat's preview may open it. */
export function LinkScreen({ link, tokenNow, onSignedIn, onUsed, onStay, onOther }: LinkProps) {
  const { hostId, linkToken } = link
  const t = useTranslate()
  const branding = useBranding(hostId)
  const [problem, setProblem] = useState<SignInProblem | null>(null)
  const [busy, setBusy] = useState(false)
  const [remembers] = useState(canStoreData)
  const [secondsLeft, wait] = useCountdown()
  const leaving = useLeaving()

  const owner = useLinkOwner(link, (error) => {
    if (!busy) fail(error)
  })
  const current = useCurrentLogin(tokenNow)

  /** Returns true if this screen is left. */
  function fail(error: unknown): boolean {
    const found = signInProblemOf(error)
    if (found.code === 'link_invalid' && onUsed()) return true
    setProblem(found)
    wait(found.waitSeconds ?? 0)
    return false
  }

  async function submit() {
    const signal = leaving()
    setBusy(true)
    setProblem(null)
    try {
      await withSignInLock(async () => {
        signal.throwIfAborted() // while another tab signed in
        if (onUsed()) return
        const login = await loginPhoneByLink(hostId, linkToken, signal)
        if (!signal.aborted) onSignedIn(login)
      })
    } catch (error) {
      if (signal.aborted || fail(error)) return
    }
    setBusy(false)
  }

  const isSpent = problem?.code === 'link_invalid'
  return (
    <Screen
      title={t('link.title')}
      actions={
        <>
          {isSpent ? null : (
            <Button
              look="filled"
              size="large"
              busy={busy}
              off={secondsLeft > 0 || current === undefined}
              onClick={submit}
            >
              {submitWords()}
            </Button>
          )}
          {current == null ? (
            <Button {...(isSpent ? MAIN : { look: 'plain' })} onClick={onOther}>
              {t('link.other')}
            </Button>
          ) : (
            <Button {...(isSpent && MAIN)} onClick={onStay}>
              {t('link.stay')}
            </Button>
          )}
        </>
      }
    >
      {branding !== null && branding !== 'unknown' ? (
        <RoomCard
          intro={t('signin.room')}
          roomName={branding.room_name}
          title={branding.user_title}
          logoUrl={branding.logo_url}
        />
      ) : null}
      <p>{t('link.intro')}</p>
      {owner ? <p>{t('link.owner', { name: owner.username, room: owner.room_name })}</p> : null}
      {remembers || isSpent ? null : <StorageBlockedNotice />}
      {current == null || isSpent ? null : (
        <LightNotice tone="warn" icon={IconInfoCircle} role="status">
          <p>{currentLoginText(t, current)}</p>
          <p>{t('link.ends')}</p>
        </LightNotice>
      )}
      {problem ? (
        <ProblemNotice words={problem.code === 'device_mismatch' ? 'problem.device_mismatch_link' : problem.key} />
      ) : null}
    </Screen>
  )

  function submitWords() {
    if (busy) return t('signin.busy')
    return secondsLeft > 0 ? t('signin.wait', { count: secondsLeft }) : t('link.submit')
  }
}
