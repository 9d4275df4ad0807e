import type { ReactNode } from 'react'
import { PublicLayout } from './PublicLayout.tsx'
import classes from './TextScreen.module.css'

/** A page that is only to be read. */
export function TextScreen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <PublicLayout title={title}>
      <article className={classes.text}>
        <h1>{title}</h1>
        {children}
      </article>
    </PublicLayout>
  )
}
