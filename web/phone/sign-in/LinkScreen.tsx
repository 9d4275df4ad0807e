import { useState } from 'react'
import type { Login } from '../../../shared/phone/phone.ts'
import { Button } from '../ui/Button.tsx'
import { Screen } from '../ui/Screen.tsx'
import { useWords } from '../words/language.ts'
import type { Invitation } from './address.ts'
import { signInByLink } from './calls.ts'
import { ProblemNotice } from './ProblemNotice.tsx'
import { type Problem, problemOf } from './problem.ts'
import { RoomCard } from './RoomCard.tsx'
import { useBranding } from './use-branding.ts'
import { useWait } from './use-wait.ts'

type LinkProps = {
  invitation: Invitation
  onSignedIn: (login: Login) => void
  /** Returns whether there is another way in, so that nothing has to be said. */
  onSpent: () => boolean
  onOther: () => void
}

/** A one-time link. It is spent by a tap alone, since a chat's preview may open it. */
export function LinkScreen({ invitation: { hostId, linkToken }, onSignedIn, onSpent, onOther }: LinkProps) {
  const t = useWords()
  const branding = useBranding(hostId)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const [secondsLeft, wait] = useWait()

  async function submit() {
    setBusy(true)
    setProblem(null)
    try {
      onSignedIn(await signInByLink(hostId, linkToken))
    } catch (error) {
      const found = problemOf(error)
      if (found.code === 'link_invalid' && onSpent()) return
      setProblem(found)
      wait(found.waitSeconds ?? 0)
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
            <Button look="main" busy={busy} off={secondsLeft > 0} onPress={submit}>
              {submitWords()}
            </Button>
          )}
          <Button look={isSpent ? 'main' : 'plain'} onPress={onOther}>
            {t('link.other')}
          </Button>
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
