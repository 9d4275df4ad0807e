import type { MouseEvent } from 'react'
import type { RecordedSpeech, RecordingSpeakers } from '../../../shared/recording-speakers.ts'
import { speakersAt } from './chapters.ts'
import classes from './SpokenBand.module.css'

/** The other speakers share a colour. */
const SPEAKER_COLOURS = 5
/** More names at the same moment would all be cut. */
const NAMES_SHOWN = 2

type SpokenBandProps = {
  /** Undefined while it loads. */
  spoken: RecordingSpeakers | undefined
  isFailed: boolean
  /** The length of the file in seconds. */
  length: number
  position: number
  onSeek: (seconds: number) => void
}

/** Shows who spoke when, below the slider that it is aligned with. A click jumps there; keys have the slider and the chapters. */
export function SpokenBand({ spoken, isFailed, length, position, onSeek }: SpokenBandProps) {
  const ranks = rankOf(spoken?.speakers ?? [])

  function handleClick({ currentTarget, clientX }: MouseEvent<HTMLElement>) {
    const { left, width } = currentTarget.getBoundingClientRect()
    if (width > 0) onSeek(((clientX - left) / width) * length)
  }

  return (
    <div className={classes.frame}>
      <div className={classes.band} aria-hidden="true" onClick={handleClick}>
        {length > 0 && spoken ? (
          <svg viewBox={`0 0 ${length} 1`} preserveAspectRatio="none" className={classes.picture} aria-hidden="true">
            {spoken.speeches.map((speech) => (
              <Bar
                key={`${speech.id} ${speech.from_seconds}`}
                speech={speech}
                length={length}
                rank={ranks(speech.id)}
              />
            ))}
          </svg>
        ) : null}
      </div>
      <div className={classes.words}>
        <Words spoken={spoken} isFailed={isFailed} position={position} />
      </div>
    </div>
  )
}

function Bar({ speech, length, rank }: { speech: RecordedSpeech; length: number; rank: number | undefined }) {
  const [from, to] = [Math.max(0, speech.from_seconds), Math.min(length, speech.to_seconds)]
  if (to <= from) return null
  // At least a pixel of a wide window.
  return (
    <rect x={from} width={Math.max(to - from, length / 800)} height="1" className={classes.speech} data-rank={rank} />
  )
}

/** Says who speaks at the position. A screen reader hears it in the chapters, not in the middle of the sound. */
function Words({ spoken, isFailed, position }: Pick<SpokenBandProps, 'spoken' | 'isFailed' | 'position'>) {
  if (isFailed) return 'Who spoke could not be loaded.'
  if (!spoken) return null
  if (spoken.speeches.length === 0) return 'Parley saw no user speak during this recording.'
  const names = new Map(spoken.speakers.map(({ id, username }) => [id, username]))
  const ranks = rankOf(spoken.speakers)
  const speaking = speakersAt(spoken.speeches, position)
  const others = speaking.length - NAMES_SHOWN
  return (
    <>
      {speaking.slice(0, NAMES_SHOWN).map((id) => (
        <span key={id} className={classes.name}>
          <Swatch rank={ranks(id)} />
          <bdi>{names.get(id)}</bdi>
        </span>
      ))}
      {others > 0 ? <span className={classes.others}>and {others} more</span> : null}
    </>
  )
}

export function Swatch({ rank }: { rank: number | undefined }) {
  return <span className={classes.swatch} data-rank={rank} aria-hidden="true" />
}

/** Ranks those who spoke the longest from 0; undefined for all others. */
export function rankOf(speakers: RecordingSpeakers['speakers']): (id: string) => number | undefined {
  const ranks = new Map(speakers.slice(0, SPEAKER_COLOURS).map(({ id }, rank) => [id, rank]))
  return (id) => ranks.get(id)
}
