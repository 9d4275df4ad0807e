import { Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useEffect, useId, useRef } from 'react'
import { z } from 'zod'
import type { RecordingTranscript } from '../../../shared/transcripts.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { useStored } from '../../ui/use-stored.ts'
import { transcript } from './queries.ts'
import classes from './Transcript.module.css'
import { TranscriptLines } from './TranscriptLines.tsx'

type TranscriptProps = {
  recordingId: string
  /** The place of the sound, in seconds. */
  position: number
  onSeek: (seconds: number) => void
}

/** Shows the line that is heard, and all of them once it is opened. */
export function Transcript({ recordingId, position, onSeek }: TranscriptProps) {
  const query = useQuery(transcript(recordingId))
  const [isOpen, setOpen] = useStored('parley.transcript_open', z.boolean(), false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const lines = query.data?.lines ?? []
  const current = lines.findLastIndex(({ start_ms }) => start_ms <= position * 1000)
  const heard = lines[current]
  const hasLines = lines.length > 0
  const latestSeek = useRef(onSeek)
  useEffect(() => {
    latestSeek.current = onSeek
  })
  const seek = useCallback((seconds: number) => latestSeek.current(seconds), []) // else all lines are drawn each time

  /** Closes the lines before the player. */
  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setOpen(false)
    button.current?.focus()
  }

  if (!hasLines)
    return (
      <div className={classes.transcript}>
        <Text className={classes.toggle} fz="sm" c="dimmed" role="status">
          {wordsOf(query.data, query.isError)}
        </Text>
      </div>
    )
  return (
    <div className={classes.transcript}>
      <UnstyledButton
        ref={button}
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`Transcript, ${lines.length} lines`}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronDown size={16} aria-hidden="true" className={classes.chevron} data-open={isOpen || undefined} />
        <Text span fz="sm" fw={600}>
          Transcript
        </Text>
        <Text span fz="sm" c="dimmed" truncate dir="auto" flex={1}>
          {isOpen ? '' : (heard?.text ?? '')}
        </Text>
      </UnstyledButton>
      {isOpen ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: its lines are buttons, whose Escape it closes on
        <div id={id} onKeyDown={handleKey}>
          <TranscriptLines lines={lines} current={current} onSeek={seek} />
          {query.data ? <Gaps {...query.data} /> : null}
        </div>
      ) : null}
    </div>
  )
}

function wordsOf(data: RecordingTranscript | undefined, isFailed: boolean): string {
  if (!data) return isFailed ? 'The transcript could not be fetched.' : 'Looking for a transcript...'
  return {
    none: 'Zoom has made no transcript of this recording.',
    waiting: 'Zoom’s transcript is on its way.',
    read: 'The transcript has no words.',
    damaged: 'Zoom’s transcript is damaged. The recording itself is not.',
    too_large: 'Zoom’s transcript is too large to be shown.',
  }[data.status]
}

function Gaps({ status, skipped_at_ms }: RecordingTranscript) {
  if (skipped_at_ms === null && status !== 'damaged') return null
  return (
    <Text fz="xs" c="dimmed" mt={4}>
      {skipped_at_ms === null
        ? 'Zoom has a newer transcript, which is damaged. These are the lines of the one before.'
        : `Something after ${formatClock(skipped_at_ms / 1000)} could not be read.`}
    </Text>
  )
}
