import { Paper, Stack, Text, Title } from '@mantine/core'
import { IconMessageSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Recording } from '../../../shared/recordings.ts'
import { searchWords, wordMatcher } from '../../../shared/search-words.ts'
import type { FoundRecording, TranscriptLine } from '../../../shared/transcripts.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { Empty } from '../../ui/Empty.tsx'
import { formatMoment } from '../../ui/format-date.ts'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import classes from './FoundLines.module.css'
import { foundRecordings } from './queries.ts'
import lineClasses from './Transcript.module.css'

type FoundLinesProps = {
  words: string
  onPlay: (recording: Recording, seconds: number) => void
}

/** Shows in which recordings something was said. A line plays its recording from there. */
export function FoundLines({ words, onPlay }: FoundLinesProps) {
  const query = useQuery({ ...foundRecordings(words), placeholderData: keepPreviousData })
  if (!query.data)
    return <NotLoaded query={query} loading="Searching..." title="Failed to search" text="Please try again." />

  const { found, has_more } = query.data
  if (found.length === 0)
    return (
      <Paper>
        <Empty
          icon={<IconMessageSearch size={22} stroke={1.75} aria-hidden="true" />}
          hint="Recordings with a transcript are searched. Zoom makes one where “Create audio transcript” is on in your Zoom account, some time after the recording."
        >
          Nothing found
        </Empty>
      </Paper>
    )
  return (
    <Stack gap="sm" aria-busy={query.isPlaceholderData}>
      <Text role="status" fz="sm" c="dimmed">
        {found.length === 1 ? 'Said in 1 recording' : `Said in ${found.length} recordings`}
      </Text>
      {found.map((one) => (
        <FoundIn key={one.recording.id} {...one} words={words} onPlay={onPlay} />
      ))}
      {has_more ? (
        <Text fz="sm" c="dimmed">
          These are the newest 20 recordings. Add a word to find fewer.
        </Text>
      ) : null}
    </Stack>
  )
}

function FoundIn({ recording, lines, has_more_lines, words, onPlay }: FoundRecording & FoundLinesProps) {
  const name = recording.topic || recording.file_name
  return (
    <Paper component="section" p="md" aria-label={`${name}, ${formatMoment(recording.created_at)}`}>
      <Title order={2} fz="md" className={classes.name} dir="auto">
        {name}
      </Title>
      <Text fz="xs" c="dimmed" mb={4}>
        {formatMoment(recording.created_at)}
      </Text>
      <ul className={classes.lines}>
        {lines.map((line) => (
          <li key={line.start_ms}>
            <button
              type="button"
              className={lineClasses.line}
              aria-label={`Play from ${formatClock(line.start_ms / 1000)}: ${line.speaker ?? ''} ${line.text}`}
              onClick={() => onPlay(recording, line.start_ms / 1000)}
            >
              <span className={lineClasses.time}>{formatClock(line.start_ms / 1000)}</span>
              <span className={lineClasses.words}>
                {line.speaker ? (
                  <>
                    <bdi className={lineClasses.speaker}>
                      <Marked text={line.speaker} words={words} />
                    </bdi>{' '}
                  </>
                ) : null}
                <bdi>
                  <Marked text={line.text} words={words} />
                </bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {has_more_lines ? (
        <Text fz="xs" c="dimmed" px="xs">
          Further lines are in the recording’s transcript.
        </Text>
      ) : null}
    </Paper>
  )
}

function Marked({ text, words }: { text: TranscriptLine['text']; words: string }) {
  const isSought = wordMatcher(words)
  let from = 0
  const parts = searchWords(text)
    .filter(({ word }) => isSought(word))
    .map((found) => {
      const before = text.slice(from, found.from)
      from = found.to
      return (
        <span key={found.from}>
          {before}
          <mark>{text.slice(found.from, found.to)}</mark>
        </span>
      )
    })
  return [...parts, text.slice(from)]
}
