import { ActionIcon, Box, Button, CloseButton, Group, Paper, Text } from '@mantine/core'
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconRewindBackward15,
  IconRewindForward15,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { Recording } from '../../../shared/recordings.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { useAudio } from '../../lib/use-audio.ts'
import { useFocusBack } from '../../ui/focus-back.ts'
import { formatMoment } from '../../ui/format-date.ts'
import { ChapterList } from './ChapterList.tsx'
import { chapterAt, chaptersOf, type SpeakerChapter } from './chapters.ts'
import classes from './Player.module.css'
import { PLAYER_KEYS } from './player-keys.ts'
import { recordingSpeakers } from './queries.ts'
import { SpokenBand } from './SpokenBand.tsx'
import { Transcript } from './Transcript.tsx'

const SKIP_S = 15
const SPEEDS = [0.75, 1, 1.25, 1.5, 2]
/** A press this soon after a chapter's start goes to the one before it, as in players of music. */
const CHAPTER_START_S = 3

export type PlayerControls = { toggle: () => void; seek: (seconds: number) => void }

type PlayerProps = {
  recording: Recording
  address: string
  /** The place at which it begins, in seconds. */
  from: number
  controls: Ref<PlayerControls>
  onPlaying: (isPlaying: boolean) => void
  /** Fetches the file's present address. */
  renew: () => Promise<string | undefined>
  onFailed: () => void
  onClose: () => void
}

/** Plays one recording at the foot of the page, below the list. */
export function Player({ recording, address, from, controls, onPlaying, renew, onFailed, onClose }: PlayerProps) {
  const audio = useAudio({ address, renew, from, onFailed })
  const { isPlaying, toggle, seek } = audio
  useImperativeHandle(controls, () => ({ toggle, seek }))
  useEffect(() => onPlaying(isPlaying), [onPlaying, isPlaying])
  useFocusBack()
  const [speed, setSpeed] = useState(1)
  const { file_name, topic, created_at } = recording

  const spoken = useQuery(recordingSpeakers(recording.id))
  const chapters = useMemo(() => chaptersOf(spoken.data?.speeches ?? [], audio.length), [spoken.data, audio.length])
  const [showsChapters, setShowsChapters] = useState(false)
  const chaptersButton = useRef<HTMLButtonElement>(null)

  function changeSpeed(next: number | undefined) {
    if (next === undefined) return
    audio.setSpeed(next)
    setSpeed(next)
  }

  function closeInnermost() {
    if (!showsChapters) return onClose()
    setShowsChapters(false)
    chaptersButton.current?.focus()
  }

  const place = SPEEDS.indexOf(speed)
  const acts = {
    toggle: audio.toggle,
    back: () => audio.skip(-SKIP_S),
    forward: () => audio.skip(SKIP_S),
    slower: () => changeSpeed(SPEEDS[place - 1]),
    faster: () => changeSpeed(SPEEDS[place + 1]),
    chapterBefore: () => seekTo(chapterAt(chapters, audio.position - CHAPTER_START_S)),
    nextChapter: () => seekTo(chapters.find(({ from }) => from > audio.position)),
    close: closeInnermost,
  }

  function seekTo(chapter: SpeakerChapter | undefined) {
    if (chapter) audio.seek(chapter.from)
  }

  function handleKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const named = PLAYER_KEYS.find(({ key }) => key === event.key)
    if (named) acts[named.act]()
  }

  return (
    <Paper
      component="section"
      shadow="lg"
      className={classes.player}
      aria-label={`Player: ${file_name}`}
      onKeyDown={handleKey}
    >
      <audio {...audio.props} preload="metadata" />
      {showsChapters && spoken.data ? (
        <ChapterList
          chapters={chapters}
          current={chapterAt(chapters, audio.position)}
          spoken={spoken.data}
          onSeek={audio.seek}
        />
      ) : null}
      <Box miw={0} lh={1.35} style={{ gridArea: 'words' }}>
        <Text inherit fw={600} lineClamp={2} title={topic || file_name} dir="auto">
          {topic || file_name}
        </Text>
        <Text inherit fz="xs" c="dimmed">
          {formatMoment(created_at)}
          <span role="status">{audio.isWaiting ? <span className={classes.waiting}> · Loading...</span> : null}</span>
        </Text>
      </Box>
      <Group gap="xs" wrap="nowrap" style={{ gridArea: 'buttons' }}>
        <ActionIcon radius="xl" aria-label="Back 15 seconds" onClick={() => audio.skip(-SKIP_S)}>
          <IconRewindBackward15 size={20} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          variant="filled"
          color="petrol"
          radius="xl"
          size={42}
          aria-label={audio.isPlaying ? 'Pause' : 'Play'}
          onClick={audio.toggle}
        >
          {audio.isPlaying ? <IconPlayerPauseFilled size={20} /> : <IconPlayerPlayFilled size={20} />}
        </ActionIcon>
        <ActionIcon radius="xl" aria-label="Forward 15 seconds" onClick={() => audio.skip(SKIP_S)}>
          <IconRewindForward15 size={20} stroke={1.75} />
        </ActionIcon>
      </Group>
      <Box className={classes.seek} fz="xs" c="dimmed">
        <span>{formatClock(audio.position)}</span>
        <input
          type="range"
          className={classes.slider}
          aria-label="Position"
          aria-valuetext={`${formatClock(audio.position)} of ${formatClock(audio.length)}`}
          min={0}
          max={Math.max(1, Math.floor(audio.length))}
          step={1}
          value={Math.floor(audio.position)}
          onChange={(event) => audio.seek(event.currentTarget.valueAsNumber)}
        />
        <span>{formatClock(audio.length)}</span>
        <SpokenBand
          spoken={spoken.data}
          isFailed={spoken.isError}
          length={audio.length}
          position={audio.position}
          onSeek={audio.seek}
        />
      </Box>
      <Group gap="xs" wrap="nowrap" style={{ gridArea: 'speed' }}>
        {chapters.length > 0 ? (
          <Button
            ref={chaptersButton}
            variant="default"
            size="compact-md"
            aria-expanded={showsChapters}
            onClick={() => setShowsChapters(!showsChapters)}
          >
            Chapters
          </Button>
        ) : null}
        <Button
          variant="default"
          size="compact-md"
          miw="3.75rem"
          aria-label={`Speed ${speed} times`}
          onClick={() => changeSpeed(SPEEDS[(place + 1) % SPEEDS.length])}
        >
          {speed}×
        </Button>
      </Group>
      <Transcript recordingId={recording.id} position={audio.position} onSeek={seek} />
      <CloseButton style={{ gridArea: 'close' }} aria-label="Close the player" onClick={onClose} />
    </Paper>
  )
}
