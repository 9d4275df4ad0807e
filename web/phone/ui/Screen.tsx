import { type Icon, IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { BrandMark } from '../../ui/base/BrandMark.tsx'
import { Button } from '../../ui/base/Button.tsx'
import { phoneSite } from '../phone-site.ts'
import { useTranslate } from '../words/language.ts'
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
  const t = useTranslate()
  const heading = useTitle(title)
  return (
    <div className={classes.screen}>
      <header className={classes.top}>
        {onBack ? (
          <Button look="plain" size="small" icon={IconArrowLeft} onClick={onBack}>
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
  icon: Icon
  tone?: 'brand' | 'warn' | 'bad'
  title: string
  text?: string
  actions: ReactNode
  children?: ReactNode
}

/** A screen with a single message: what happened, and what to do. */
export function Outcome({ icon: Icon, tone = 'brand', title, text, actions, children }: OutcomeProps) {
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
            <Icon size="2.2em" aria-hidden="true" />
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

function Brand() {
  const t = useTranslate()
  return <BrandMark note={phoneSite.demo_zoom ? t('app.demo') : undefined} />
}
