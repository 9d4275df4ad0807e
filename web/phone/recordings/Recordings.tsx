import { IconRefresh, IconVolume } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { SharedRecording } from '../../../shared/recordings.ts'
import { useAudio } from '../../lib/use-audio.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Spinner } from '../../ui/base/Spinner.tsx'
import screen from '../ui/Screen.module.css'
import { Screen } from '../ui/Screen.tsx'
import { dateLocale } from '../words/date-locale.ts'
import { useLanguage, useTranslate } from '../words/language.ts'
import { fetchRecordings } from './calls.ts'
import classes from './Recordings.module.css'

type RecordingsProps = {
  token: string
  /** The id of the recording to which a link leads; it comes first. */
  wanted: string | null
  onBack: () => void
}

/** The recordings that the host has shared. One plays at a time. */
export function Recordings({ token, wanted, onBack }: RecordingsProps) {
  const t = useTranslate()
  const [list, setList] = useState<SharedRecording[] | 'loading' | 'failed'>('loading')
  const [playing, setPlaying] = useState<string | null>(null)
  const [problem, setProblem] = useState<'recordings.gone' | 'recordings.failed' | null>(null)
  const alert = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (problem && document.activeElement === document.body) alert.current?.focus() // the player's controls have gone
  }, [problem])

  async function load(): Promise<SharedRecording[] | null> {
    const found = await fetchRecordings(token).catch(() => null)
    setList((before) => found ?? (Array.isArray(before) ? before : 'failed'))
    return found
  }
  const loadFirst = useEffectEvent(() => void load())
  useEffect(() => loadFirst(), [])

  /** The address of a file expires after an hour. */
  async function renew(id: string): Promise<string | undefined> {
    const found = await load()
    const address = found?.find((one) => one.id === id)?.play_url
    if (found && !address) setProblem('recordings.gone')
    return address
  }

  function handlePlay(id: string) {
    setProblem(null)
    setPlaying(id)
  }

  function handleFailed() {
    setPlaying(null)
    setProblem((before) => before ?? 'recordings.failed')
  }

  const isGone = wanted !== null && Array.isArray(list) && !list.some(({ id }) => id === wanted)
  const shown = problem ?? (isGone ? 'recordings.gone' : null)
  return (
    <Screen title={t('recordings.title')} onBack={onBack}>
      <p role="alert" ref={alert} tabIndex={-1} className={classes.problem}>
        {shown ? t(shown) : null}
      </p>
      {list === 'loading' ? (
        <p role="status" className={classes.loading}>
          <Spinner size="1.4em" />
          {t('app.loading')}
        </p>
      ) : list === 'failed' ? (
        <section className={screen.card}>
          <p role="alert">{t('app.offline')}</p>
          <Button
            icon={IconRefresh}
            onClick={() => {
              setList('loading')
              void load()
            }}
          >
            {t('app.try_again')}
          </Button>
        </section>
      ) : list.length === 0 ? (
        isGone ? null : (
          <p>{t('recordings.none')}</p>
        )
      ) : (
        <ul className="stack">
          {wantedFirst(list, wanted).map((recording) => (
            <li key={recording.id} className={screen.card}>
              <Facts recording={recording} />
              {recording.id === playing ? (
                <Player recording={recording} renew={() => renew(recording.id)} onFailed={handleFailed} />
              ) : (
                <Button
                  icon={IconVolume}
                  aria-label={`${t('recordings.play')}: ${recording.topic}`}
                  onClick={() => handlePlay(recording.id)}
                >
                  {t('recordings.play')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Screen>
  )
}

const wantedFirst = (list: readonly SharedRecording[], wanted: string | null) =>
  list.toSorted((one, other) => Number(other.id === wanted) - Number(one.id === wanted))

function Facts({ recording: { topic, created_at, duration, shared_until } }: { recording: SharedRecording }) {
  const t = useTranslate()
  const { code } = useLanguage()
  const locale = dateLocale(code)
  const day = (iso: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date(iso))
  const length = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(duration)
  return (
    <div>
      <h2 dir="auto">{topic}</h2>
      <p>
        {day(created_at)} · {length}
      </p>
      <p className={screen.soft}>{t('recordings.until', { day: day(shared_until) })}</p>
    </div>
  )
}

type PlayerProps = {
  recording: SharedRecording
  renew: () => Promise<string | undefined>
  onFailed: () => void
}

/** The browser's own controls, which its lock screen and headsets know too. */
function Player({ recording, renew, onFailed }: PlayerProps) {
  const audio = useAudio({ address: recording.play_url, renew, onFailed })
  const { ref } = audio.props
  useEffect(() => ref.current?.focus(), [ref]) // its button has gone
  return (
    <audio
      {...audio.props}
      className={classes.audio}
      controls
      controlsList="nodownload"
      tabIndex={0}
      aria-label={recording.topic}
    />
  )
}
