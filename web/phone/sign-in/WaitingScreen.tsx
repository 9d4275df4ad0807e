import { IconClock, IconX } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { PhoneRequestState } from '../../../shared/phone-requests.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Outcome } from '../ui/Screen.tsx'
import { useTranslate } from '../words/language.ts'
import { fetchRequestState } from './calls.ts'

const POLL_MS = 3_000

type WaitingProps = { ticket: string; onApproved: () => void; onAskAgain: () => void; onCancel: () => void }

/** Waits until the host lets this phone replace the bound one. */
export function WaitingScreen({ ticket, onApproved, onAskAgain, onCancel }: WaitingProps) {
  const t = useTranslate()
  const { state, isOffline } = useRequestState(ticket)
  const approve = useEffectEvent(onApproved)
  useEffect(() => {
    if (state === 'approved') approve()
  }, [state])

  if (state === 'refused' || state === 'expired') {
    return (
      <Outcome
        key={state}
        icon={state === 'refused' ? IconX : IconClock}
        tone="warn"
        title={t(`phone.${state}_title`)}
        text={t(`phone.${state}`)}
        actions={
          <>
            {state === 'expired' ? (
              <Button look="filled" size="large" onClick={onAskAgain}>
                {t('phone.ask')}
              </Button>
            ) : null}
            <Button {...(state === 'refused' && { look: 'filled', size: 'large' })} onClick={onCancel}>
              {t('app.back')}
            </Button>
          </>
        }
      />
    )
  }
  return (
    <Outcome
      icon={IconClock}
      title={t('phone.waiting_title')}
      text={t('phone.waiting')}
      actions={<Button onClick={onCancel}>{t('phone.cancel')}</Button>}
    >
      <p>{t('phone.waiting_keep')}</p>
      <p role="status">
        <b>{t(stateWords())}</b>
      </p>
    </Outcome>
  )

  function stateWords() {
    if (state === 'approved') return 'phone.approved'
    return isOffline ? 'phone.waiting_offline' : 'phone.waiting_state'
  }
}

/** Polls while the page is visible. */
function useRequestState(ticket: string) {
  const [state, setState] = useState<PhoneRequestState>('waiting')
  const [isOffline, setOffline] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isAsking = false
    async function poll() {
      clearTimeout(timer)
      if (isAsking || document.hidden) return
      isAsking = true
      try {
        const answered = await fetchRequestState(ticket, leaving.signal)
        if (leaving.signal.aborted) return
        setState(answered)
        setOffline(false)
        if (answered !== 'waiting') return
      } catch {
        if (leaving.signal.aborted) return
        setOffline(true)
      } finally {
        isAsking = false
      }
      timer = setTimeout(poll, POLL_MS)
    }
    const handleVisible = () => void poll()
    document.addEventListener('visibilitychange', handleVisible)
    void poll()
    return () => {
      leaving.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', handleVisible)
    }
  }, [ticket])
  return { state, isOffline }
}
