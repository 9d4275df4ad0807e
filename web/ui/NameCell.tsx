import type { ReactNode } from 'react'
import cells from './cells.module.css'
import { PersonText } from './PersonText.tsx'

/** `detail` is an id, a date or the like. A person's text in it needs a `<bdi>` of its own. */
export function NameCell({ name, detail }: { name: string; detail: ReactNode }) {
  return (
    <span className={cells.lines}>
      <PersonText text={name} className={cells.name} wraps />
      <span className={cells.minor} dir="ltr">
        {detail}
      </span>
    </span>
  )
}
