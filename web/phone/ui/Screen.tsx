import { type ReactNode, useEffect, useRef } from 'react'
import { phoneSite } from '../phone-site.ts'
import { useWords } from '../words/language.ts'
import { Button } from './Button.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { LanguageSelect, NotReviewed } from './LanguageSelect.tsx'
import classes from './Screen.module.css'

type ScreenProps = {
  title: string
  onBack?: (() => void) | undefined
  /** The main action and a few others, at the bottom. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen. Its title takes the focus, so that screen readers start there. */
export function Screen({ title, onBack, actions, children }: ScreenProps) {
  const t = useWords()
  const heading = useTitle(title)
  return (
    <div className={classes.screen}>
      <header className={classes.top}>
        {onBack ? (
          <Button look="plain" small icon="back" onPress={onBack}>
            {t('app.back')}
          </Button>
        ) : (
          <Brand />
        )}
        {onBack ? null : <LanguageSelect />}
      </header>
      <main className={classes.main}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
        <NotReviewed />
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </main>
    </div>
  )
}

type OutcomeProps = {
  icon: IconName
  tone?: 'brand' | 'warn' | 'bad'
  title: string
  text?: string
  actions: ReactNode
  children?: ReactNode
}

/** A screen with a single message: what happened, and what to do. */
export function Outcome({ icon, tone = 'brand', title, text, actions, children }: OutcomeProps) {
  const heading = useTitle(title)
  return (
    <div className={classes.screen}>
      <header className={classes.top}>
        <Brand />
        <LanguageSelect />
      </header>
      <main className={classes.main}>
        <div className={classes.center}>
          <span className={classes.disc} data-tone={tone}>
            <Icon name={icon} size={2.2} />
          </span>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {text ? <p className={classes.soft}>{text}</p> : null}
          {children}
        </div>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </main>
    </div>
  )
}

export function useTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = title === 'Parley' ? title : `${title} · Parley`
  }, [title])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  return heading
}

/** The logo: three voices, and one about to speak. */
function Brand() {
  const t = useWords()
  return (
    <span className={classes.brand}>
      <svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="9" fill="#0c1f29" />
        <g fill="none" strokeWidth="3.4" strokeLinecap="round">
          <path d="M9 13v6M14 9.5v13M19 12v8" stroke="#5cc4c0" />
          <path d="M24 15.2v1.6" stroke="#ffb074" />
        </g>
      </svg>
      <span className={classes.name}>
        Parley
        {phoneSite.demo_zoom ? <span className={classes.demo}>{t('app.demo')}</span> : null}
      </span>
    </span>
  )
}
