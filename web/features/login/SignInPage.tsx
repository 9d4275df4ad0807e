import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { site } from '../../lib/site.ts'
import { BrandMark } from '../../ui/light/BrandMark.tsx'
import { SchemeToggle } from '../../ui/light/SchemeToggle.tsx'
import { RoomPicture } from './RoomPicture.tsx'
import classes from './SignInPage.module.css'

type SignInPageProps = { title: string; note: string; form: ComponentProps<'form'>; children: ReactNode }

/** What both logins share: the picture of a room on one side, the form on the other. */
export function SignInPage({ title, note, form, children }: SignInPageProps) {
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
            {children}
          </form>
          <p>{note}</p>
          {site.demo_zoom ? <p className={classes.demo}>Demo Zoom: no real Zoom account is touched.</p> : null}
        </div>
      </main>
    </div>
  )
}
