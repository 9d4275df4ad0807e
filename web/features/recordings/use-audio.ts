import { useEffect, useRef, useState } from 'react'

/** The state and controls of an audio element, without the browser's own controls. It plays the file at this address. */
export function useAudio(address: string) {
  const ref = useRef<HTMLAudioElement>(null)
  const [source, setSource] = useState({ address, from: 0 })
  const [isPlaying, setPlaying] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const [position, setPosition] = useState(0)
  const [length, setLength] = useState(0)

  // Runs in an effect of the click that opened the player, so that the browser allows the sound.
  useEffect(() => {
    const { current: audio } = ref
    if (!audio) return
    audio.src = source.address
    audio.currentTime = source.from
    void audio.play().catch(() => setPlaying(false))
  }, [source])

  function seek(seconds: number) {
    const { current: audio } = ref
    if (!audio || !Number.isFinite(seconds)) return
    const place = Math.max(0, Math.min(seconds, length))
    audio.currentTime = place
    setPosition(place)
  }

  function toggle() {
    const { current: audio } = ref
    if (!audio?.paused) return audio?.pause()
    // A failed download is repeated from the place where it stopped; the address may be a new one.
    if (audio.error) setSource({ address, from: position })
    // If the browser refuses, the button still shows Play.
    else void audio.play().catch(() => setPlaying(false))
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
      setPlaying(false)
      setWaiting(false)
    },
    onWaiting: () => setWaiting(true),
    onPlaying: () => setWaiting(false),
    // Without its metadata, it reports its beginning.
    onTimeUpdate: () => setPosition((before) => (ref.current?.readyState ? ref.current.currentTime : before)),
    onDurationChange: () => setLength((before) => ref.current?.duration || before),
  }
  return {
    props,
    isPlaying,
    isWaiting,
    position,
    length,
    seek,
    skip: (by: number) => seek(position + by),
    toggle,
    setSpeed,
    pause: () => ref.current?.pause(),
  }
}
