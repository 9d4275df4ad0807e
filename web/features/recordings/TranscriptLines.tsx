import { Button } from '@mantine/core'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import type { TranscriptLine } from '../../../shared/transcripts.ts'
import { formatClock } from '../../lib/format-clock.ts'
import classes from './Transcript.module.css'

/** An hour has some 600 lines. */
const SHOWN = 500
/** The list stays where the reader has put it for this long, and then follows the sound again. */
const READS_MS = 8000

type TranscriptLinesProps = {
  lines: readonly TranscriptLine[]
  /** The line that is heard, or -1. */
  current: number
  onSeek: (seconds: number) => void
}

export const TranscriptLines = memo(function TranscriptLines({ lines, current, onSeek }: TranscriptLinesProps) {
  const list = useRef<HTMLOListElement>(null)
  const readAt = useRef(Number.NEGATIVE_INFINITY)
  const [wanted, setWanted] = useState<number | null>(null)
  const lastPart = Math.floor((lines.length - 1) / SHOWN)
  const part = Math.min(lastPart, wanted ?? Math.floor(Math.max(0, current) / SHOWN))
  const first = part * SHOWN
  const isReading = () => performance.now() - readAt.current < READS_MS
  const handleRead = () => {
    readAt.current = performance.now()
  }

  useEffect(() => {
    const { current: box } = list
    if (!box || current < 0 || isReading()) return
    setWanted(null)
    const line = box.querySelector<HTMLElement>('[aria-current]')
    if (line) box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 3
  })

  /** Moves the focus from line to line: the Tab key stops at one of them. */
  function handleKey(event: KeyboardEvent) {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.findIndex((button) => button.matches(':focus'))
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    handleRead()
    buttons[target]?.focus()
  }

  const showPart = (next: number) => {
    handleRead()
    setWanted(next)
    if (list.current) list.current.scrollTop = 0
  }

  const stop = current >= first && current < first + SHOWN ? current : first
  return (
    <ol
      ref={list}
      className={classes.lines}
      aria-label="Transcript"
      onWheel={handleRead}
      onTouchMove={handleRead}
      onPointerDown={handleRead}
      onKeyDown={handleKey}
    >
      {part > 0 ? (
        <li>
          <Button variant="subtle" size="compact-sm" onClick={() => showPart(part - 1)}>
            Earlier lines
          </Button>
        </li>
      ) : null}
      {lines.slice(first, first + SHOWN).map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines neither move nor change
        <li key={first + place}>
          <button
            type="button"
            className={classes.line}
            tabIndex={first + place === stop ? 0 : -1}
            aria-current={first + place === current || undefined}
            onClick={() => onSeek(line.start_ms / 1000)}
          >
            <span className={classes.time}>{formatClock(line.start_ms / 1000)}</span>
            <span className={classes.words}>
              {line.speaker && line.speaker !== lines[first + place - 1]?.speaker ? (
                <>
                  <bdi className={classes.speaker}>{line.speaker}</bdi>{' '}
                </>
              ) : null}
              <bdi>{line.text}</bdi>
            </span>
          </button>
        </li>
      ))}
      {part < lastPart ? (
        <li>
          <Button variant="subtle" size="compact-sm" onClick={() => showPart(part + 1)}>
            Later lines
          </Button>
        </li>
      ) : null}
    </ol>
  )
})
