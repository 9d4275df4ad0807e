import { type ReactNode, useEffect, useId, useRef } from 'react'
import classes from './Sheet.module.css'

type SheetProps = { title: string; onClose: () => void; children: ReactNode }

/** Asks at the bottom of the screen; Escape means no. */
export function Sheet({ title, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={classes.sheet}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="stack">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}
