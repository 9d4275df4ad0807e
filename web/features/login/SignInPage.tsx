import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { signedOutReason } from '../../lib/session/session.ts'
import { site } from '../../lib/site.ts'
import { BrandMark } from '../../ui/base/BrandMark.tsx'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { SchemeToggle } from '../../ui/base/SchemeToggle.tsx'
import { RoomPicture } from './RoomPicture.tsx'
import classes from './SignInPage.module.css'
import { SIGNED_OUT_WORDS } from './signed-out-words.ts'

type SignInPageProps = {
  title: string
  note: ReactNode
  form: ComponentProps<'form'>
  /** The reason why the last attempt was refused. */
  failure: string | null
  children: ReactNode
}

/** The layout of both logins: the picture of a room on one side, the form on the other. */
export function SignInPage({ title, note, form, failure, children }: SignInPageProps) {
  const [reason] = useState(signedOutReason)
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])

  return (
    <div className={classes.page}>
      <header className={classes.side}>
        <a href={site.public_url}>
          <BrandMark size={36} />
        </a>
        <RoomPicture />
        <p>Your trusted digital companion</p>
      </header>
      <main className={classes.main}>
        <SchemeToggle />
        <div className={classes.form}>
          <h1>{title}</h1>
          <form {...form} className={classes.fields}>
            {failure ? (
              <LightNotice tone="bad" icon={IconAlertTriangle} role="alert">
                {failure}
              </LightNotice>
            ) : reason ? (
              <LightNotice tone="brand" icon={IconInfoCircle} role="status">
                {SIGNED_OUT_WORDS[reason]}
              </LightNotice>
            ) : null}
            {children}
          </form>
          {note ? <p>{note}</p> : null}
          {site.demo_zoom ? <p className={classes.demo}>Demo Zoom: no real Zoom account is touched.</p> : null}
          <nav className={classes.links} aria-label="Help">
            <a href={site.public_url}>Home</a>
            <Link to="/documentation">Documentation</Link>
            <Link to="/support">Support</Link>
          </nav>
        </div>
      </main>
    </div>
  )
}
