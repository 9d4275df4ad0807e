import { IconMessage, IconPhone } from '@tabler/icons-react'
import { ButtonLink } from '../../ui/base/Button.tsx'
import screen from '../ui/Screen.module.css'
import { useTranslate } from '../words/language.ts'
import classes from './HostMessage.module.css'

type HostMessageProps = { message: string | null; helpline: string | null }

export function HostMessage({ message, helpline }: HostMessageProps) {
  const t = useTranslate()
  if (!message && !helpline) return null
  return (
    <section className={screen.card}>
      {message ? (
        <>
          <h2 className={screen.cardTitle}>
            <IconMessage size="1.4em" aria-hidden="true" /> {t('lobby.message')}
          </h2>
          <p className={classes.text} dir="auto">
            {message}
          </p>
        </>
      ) : null}
      {helpline ? (
        <>
          <h2 className={screen.cardTitle}>{t('lobby.helpline')}</h2>
          <HelplineLink helpline={helpline} />
        </>
      ) : null}
    </section>
  )
}

const leftToRight = (number: string) => `\u2066${number}\u2069`

/** Links to a phone number; other text of the host is only shown. */
export function HelplineLink({ helpline }: { helpline: string }) {
  const t = useTranslate()
  const number = helpline.replace(/[^\d+]/g, '')
  if (number.length < 3) return <p dir="auto">{helpline}</p>
  return (
    <ButtonLink href={`tel:${number}`} icon={IconPhone}>
      {t('lobby.call', { number: leftToRight(helpline) })}
    </ButtonLink>
  )
}
