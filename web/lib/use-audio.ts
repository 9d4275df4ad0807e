import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'

type AudioOptions = {
  address: string
  /** Fetches the file's present address: one that is older than an hour is refused. */
  renew: () => Promise<string | undefined>
  /** The place at which it begins, in seconds. */
  from?: number
  onFailed: () => void
}

/** The state and controls of an audio element, without the browser's own controls. It plays the file at this address. */
export function useAudio({ address, renew, from = 0, onFailed }: AudioOptions) {
  const ref = useRef<HTMLAudioElement>(null)
  const [source, setSource] = useState({ address, from, plays: true })
  /** The source that failed, while the file's present address is fetched. */
  const [failed, setFailed] = useState<typeof source | null>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const [position, setPosition] = useState(from)
  const [length, setLength] = useState(0)

  /** If the browser refuses, the button still shows Play. */
  const play = useCallback((audio: HTMLAudioElement) => {
    void audio.play().catch(() => audio.error ?? setPlaying(false))
  }, [])

  // Runs in an effect of the click that opened the player, so that the browser allows the sound.
  useEffect(() => {
    const { current: audio } = ref
    if (!audio) return
    audio.src = source.address
    audio.currentTime = source.from
    if (source.plays) play(audio)
  }, [source, play])

  const goOn = useEffectEvent((fresh: string | undefined) => {
    setFailed(null)
    if (fresh && fresh !== failed?.address) return setSource({ address: fresh, from: position, plays: isPlaying })
    ref.current?.pause()
    setPlaying(false)
    setWaiting(false)
    onFailed()
  })
  const fetchAddress = useEffectEvent(() => renew())
  useEffect(() => {
    if (!failed) return
    let isLatest = true
    void fetchAddress().then((fresh) => isLatest && goOn(fresh))
    return () => {
      isLatest = false
    }
  }, [failed])

  function seek(seconds: number) {
    const { current: audio } = ref
    if (!audio || !Number.isFinite(seconds)) return
    const place = Math.max(0, Math.min(seconds, length))
    audio.currentTime = place
    setPosition(place)
  }

  function toggle() {
    const { current: audio } = ref
    if (failed) return setPlaying(!isPlaying)
    if (!audio?.paused) return audio?.pause()
    // A failed download is repeated from the place where it stopped; the address may be a new one.
    if (audio.error) setSource({ address, from: position, plays: true })
    else play(audio)
  }

  function setSpeed(speed: number) {
    if (!ref.current) return
    ref.current.playbackRate = speed
    ref.current.defaultPlaybackRate = speed // of the repeated download
  }

  const props = {
    ref,
    onPlay: () => setPlaying(true),
    onPause: () => {
      if (ref.current?.error) return // it goes on with the next address
      setPlaying(false)
      setWaiting(false)
    },
    onWaiting: () => setWaiting(true),
    onPlaying: () => setWaiting(false),
    onError: () => setFailed(source),
    // Without its metadata, it reports its beginning.
    onTimeUpdate: () => setPosition((before) => (ref.current?.readyState ? ref.current.currentTime : before)),
    onDurationChange: () => setLength((before) => ref.current?.duration || before),
  }
  return {
    props,
    isPlaying,
    isWaiting: isWaiting || failed !== null,
    position,
    length,
    seek,
    skip: (by: number) => seek(position + by),
    toggle,
    setSpeed,
  }
}
