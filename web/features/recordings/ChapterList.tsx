import { Text, Title } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import type { RecordingSpeakers } from '../../../shared/recording-speakers.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { PersonText } from '../../ui/PersonText.tsx'
import classes from './ChapterList.module.css'
import type { SpeakerChapter } from './chapters.ts'
import { rankOf, Swatch } from './SpokenBand.tsx'

type ChapterListProps = {
  chapters: readonly SpeakerChapter[]
  current: SpeakerChapter | undefined
  spoken: RecordingSpeakers
  onSeek: (seconds: number) => void
}

export function ChapterList({ chapters, current, spoken, onSeek }: ChapterListProps) {
  const id = useId()
  const names = new Map(spoken.speakers.map((speaker) => [speaker.id, speaker.username]))
  const ranks = rankOf(spoken.speakers)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest' })
  }, [])
  return (
    <section className={classes.chapters} aria-labelledby={id}>
      <Title order={2} fz="sm" id={id}>
        Chapters by speaker
      </Title>
      <ol className={classes.list} ref={list}>
        {chapters.map((chapter) => (
          <li key={chapter.from}>
            <button
              type="button"
              className={classes.chapter}
              aria-current={chapter === current || undefined}
              onClick={() => onSeek(chapter.from)}
            >
              <span className={classes.time}>{formatClock(chapter.from)}</span>
              <Swatch rank={ranks(chapter.id)} />
              <PersonText text={names.get(chapter.id) ?? ''} />
              <span className={classes.time}>{formatClock(chapter.to - chapter.from)}</span>
            </button>
          </li>
        ))}
      </ol>
      {spoken.has_more ? (
        <Text size="xs" c="dimmed">
          The latest speeches of this recording are not shown.
        </Text>
      ) : null}
    </section>
  )
}
