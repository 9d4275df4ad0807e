import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { Login } from '../../../shared/phone/phone.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Notice } from '../../ui/base/Notice.tsx'
import { keepsData } from '../storage.ts'
import { Screen } from '../ui/Screen.tsx'
import { useLeaving } from '../ui/use-leaving.ts'
import { useWords } from '../words/language.ts'
import type { Invitation } from './address.ts'
import { signInByLink } from './calls.ts'
import { inOneTab } from './in-one-tab.ts'
import { KeepsNothing } from './KeepsNothing.tsx'
import { ProblemNotice } from './ProblemNotice.tsx'
import { presentWords } from './present-words.ts'
import { type Problem, problemOf } from './problem.ts'
import { RoomCard } from './RoomCard.tsx'
import { useBranding } from './use-branding.ts'
import { useLinkOwner, usePresentLogin } from './use-link-facts.ts'
import { useWait } from './use-wait.ts'

/** After a spent link, the way on is the main action. */
const MAIN = { look: 'filled', size: 'large' } as const

type LinkProps = {
  invitation: Invitation
  /** The phone's current session, which a sign-in ends. */
  tokenNow: string | null
  onSignedIn: (login: Login) => void
  /** Returns true if this phone has used the link, perhaps in another tab, and goes on with that session. */
  onUsed: () => boolean
  onStay: () => void
  onOther: () => void
}

/** A one-time link. Only a tap uses it up, since a chat's preview may open it. */
export function LinkScreen({ invitation, tokenNow, onSignedIn, onUsed, onStay, onOther }: LinkProps) {
  const { hostId, linkToken } = invitation
  const t = useWords()
  const branding = useBranding(hostId)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const [remembers] = useState(keepsData)
  const [secondsLeft, wait] = useWait()
  const leaving = useLeaving()

  const owner = useLinkOwner(invitation, (error) => {
    if (!busy) fail(error)
  })
  const present = usePresentLogin(tokenNow)

  /** Returns true if this screen is left. */
  function fail(error: unknown): boolean {
    const found = problemOf(error)
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
      await inOneTab(async () => {
        signal.throwIfAborted() // while another tab signed in
        if (onUsed()) return
        const login = await signInByLink(hostId, linkToken, signal)
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
              off={secondsLeft > 0 || present === undefined}
              onClick={submit}
            >
              {submitWords()}
            </Button>
          )}
          {present == null ? (
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
      {remembers || isSpent ? null : <KeepsNothing />}
      {present == null || isSpent ? null : (
        <Notice tone="warn" icon={IconInfoCircle} role="status">
          <p>{presentWords(t, present)}</p>
          <p>{t('link.ends')}</p>
        </Notice>
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
