import { IconDeviceMobile, IconInfoCircle } from '@tabler/icons-react'
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import type { Login } from '../../../shared/phone/phone.ts'
import { Button } from '../../ui/base/Button.tsx'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { LightPasswordField } from '../../ui/base/LightPasswordField.tsx'
import { TextField } from '../../ui/base/TextField.tsx'
import { canStoreData } from '../storage.ts'
import { Check } from '../ui/Check.tsx'
import screen from '../ui/Screen.module.css'
import { Screen } from '../ui/Screen.tsx'
import { useLeaving } from '../ui/use-leaving.ts'
import { useTranslate } from '../words/language.ts'
import type { WordKey } from '../words/words.ts'
import { type Credentials, loginPhone, requestPhoneChange } from './calls.ts'
import { isHostId, normaliseHostId } from './host-id.ts'
import { ProblemNotice } from './ProblemNotice.tsx'
import { RoomCard } from './RoomCard.tsx'
import classes from './SignInScreen.module.css'
import { StorageBlockedNotice } from './StorageBlockedNotice.tsx'
import { type SignInProblem, signInProblemOf } from './sign-in-problem.ts'
import { useBranding } from './use-branding.ts'
import { useCountdown } from './use-countdown.ts'
import { WaitingScreen } from './WaitingScreen.tsx'

type SignInProps = {
  hostId: string
  /** The user who was signed in before. */
  username?: string
  onSignedIn: (login: Login, remember: boolean) => void
}
type Wrong = Partial<Record<keyof Credentials, WordKey>>

export function SignInScreen({ hostId, username = '', onSignedIn }: SignInProps) {
  const t = useTranslate()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Credentials>({ host_id: hostId, username, password: '' })
  const [remembers] = useState(canStoreData)
  const [remember, setRemember] = useState(remembers)
  const [wrong, setWrong] = useState<Wrong>({})
  const [problem, setProblem] = useState<SignInProblem | null>(null)
  const [busy, setBusy] = useState<'signing in' | 'asking' | null>(null)
  const [ticket, setTicket] = useState<string | null>(null)
  const [secondsLeft, wait] = useCountdown()
  const leaving = useLeaving()
  const credentials = { ...values, host_id: normaliseHostId(values.host_id), username: values.username.trim() }
  const branding = useBranding(credentials.host_id)

  const field = (name: keyof Credentials) => ({
    name,
    value: values[name],
    error: wrong[name] && t(wrong[name]),
    isWrong: problem?.code === 'wrong_credentials' && (name !== 'host_id' || branding === null),
    onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
      setValues({ ...values, [name]: currentTarget.value })
      setWrong({ ...wrong, [name]: undefined })
      setProblem(null) // it covers fields on small screens
    },
  })

  async function attempt(what: 'signing in' | 'asking', act: () => Promise<void>) {
    setBusy(what)
    setProblem(null)
    try {
      await act()
    } catch (error) {
      const found = signInProblemOf(error)
      setProblem(found)
      wait(found.waitSeconds ?? 0)
    }
    setBusy(null)
  }

  /** A screen that has been left, for a link, signs nobody in. */
  async function enter() {
    const signal = leaving()
    const login = await loginPhone(credentials, signal)
    if (!signal.aborted) onSignedIn(login, remember)
  }

  const submit = () => attempt('signing in', enter)

  /** `conflict` means that the host has unbound the other phone, so this one may sign in now. */
  const ask = () =>
    attempt('asking', async () => {
      try {
        setTicket(await requestPhoneChange(credentials))
      } catch (error) {
        if (signInProblemOf(error).code !== 'conflict') throw error
        await enter()
      }
    })

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (busy || secondsLeft > 0) return
    const missing: Wrong = {
      ...(!isHostId(credentials.host_id) && { host_id: 'signin.need_host_id' as const }),
      ...(!credentials.username && { username: 'signin.need_username' as const }),
      ...(!credentials.password && { password: 'signin.need_password' as const }),
    }
    setWrong(missing)
    const [first] = Object.keys(missing)
    if (first === undefined) void submit()
    else form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }

  if (ticket !== null) {
    return (
      <WaitingScreen
        ticket={ticket}
        onApproved={() => {
          setTicket(null)
          void submit()
        }}
        onAskAgain={() => {
          setTicket(null)
          void ask()
        }}
        onCancel={() => {
          setTicket(null)
          setProblem(null)
        }}
      />
    )
  }

  const room = branding === 'unknown' ? null : (branding ?? placeholder(credentials.host_id))
  const isMismatch = problem?.code === 'device_mismatch'
  const isHost = credentials.username.toUpperCase() === credentials.host_id
  return (
    <Screen title={t('signin.title')}>
      {room === null ? (
        <p className={screen.soft}>{t('signin.intro')}</p>
      ) : (
        <RoomCard intro={t('signin.room')} roomName={room.room_name} title={room.user_title} logoUrl={room.logo_url} />
      )}
      <form ref={form} className="stack" noValidate onSubmit={handleSubmit}>
        <div>
          <TextField
            label={t('signin.host_id')}
            hint={room === null ? t('signin.host_id_hint') : ''}
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            dir="ltr"
            {...field('host_id')}
            onBlur={() => setValues({ ...values, host_id: credentials.host_id })}
          />
          <div role="status" className={classes.unknown}>
            {branding === 'unknown' ? (
              <LightNotice icon={IconInfoCircle}>
                <p>{t('signin.unknown_host')}</p>
              </LightNotice>
            ) : null}
          </div>
        </div>
        <TextField
          label={t('signin.username')}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          dir="auto"
          {...field('username')}
        />
        <LightPasswordField
          label={t('signin.password')}
          autoComplete="current-password"
          words={{ show: t('signin.show_password'), hide: t('signin.hide_password') }}
          {...field('password')}
        />
        {remembers ? (
          <Check
            label={t('signin.remember')}
            hint={t('signin.remember_hint')}
            checked={remember}
            onChecked={setRemember}
          />
        ) : (
          <StorageBlockedNotice />
        )}
        <div className={classes.submit}>
          {problem ? (
            <ProblemNotice words={isMismatch && isHost ? 'problem.device_mismatch_host' : problem.key}>
              {isMismatch && !isHost ? (
                <Button icon={IconDeviceMobile} busy={busy === 'asking'} onClick={ask}>
                  {t('phone.ask')}
                </Button>
              ) : null}
            </ProblemNotice>
          ) : null}
          <Button look="filled" size="large" type="submit" busy={busy === 'signing in'} off={secondsLeft > 0}>
            {submitWords()}
          </Button>
        </div>
      </form>
    </Screen>
  )

  function submitWords() {
    if (busy === 'signing in') return t('signin.busy')
    return secondsLeft > 0 ? t('signin.wait', { count: secondsLeft }) : t('signin.submit')
  }
}

/** Reserves the room's space until its name arrives, so that nothing moves under a finger. */
const placeholder = (hostId: string) =>
  isHostId(hostId) ? { room_name: hostId, user_title: null, logo_url: null } : null
