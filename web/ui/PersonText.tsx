import type { PointerEvent } from 'react'
import classes from './PersonText.module.css'

type PersonTextProps = {
  /** A name, title or message, as its author wrote it. */
  text: string
  className?: string | undefined
  /** Breaks long texts into lines instead of cutting them. */
  wraps?: boolean
}

/** Follows the direction of the text's letters, and cuts it at its own end; the pointer shows the whole text. */
export function PersonText({ text, className = '', wraps = false }: PersonTextProps) {
  return (
    <bdi
      dir="auto"
      className={`${wraps ? classes.wraps : 'one-line'} ${className}`}
      onPointerEnter={wraps ? undefined : showWhole}
    >
      {text}
    </bdi>
  )
}

function showWhole({ currentTarget: element }: PointerEvent<HTMLElement>) {
  element.title = element.scrollWidth > element.clientWidth ? element.textContent : ''
}
