import { useEffect, useRef, useState } from 'react'

/** The state and controls of an audio element, without the browser's own controls. */
export function useAudio() {
  const ref = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [position, setPosition] = useState(0)
  const [length, setLength] = useState(0)

  // Runs in an effect of the click that opened the player, so that the browser allows the sound.
  useEffect(() => {
    void ref.current?.play().catch(() => setPlaying(false))
  }, [])

  function seek(seconds: number) {
    const { current: audio } = ref
    if (!audio || !Number.isFinite(seconds)) return
    audio.currentTime = Math.max(0, Math.min(seconds, audio.duration || 0))
    setPosition(audio.currentTime)
  }

  function toggle() {
    const { current: audio } = ref
    // If the browser refuses, the button still shows Play.
    if (audio?.paused) void audio.play().catch(() => setPlaying(false))
    else audio?.pause()
  }

  function setSpeed(speed: number) {
    if (ref.current) ref.current.playbackRate = speed
  }

  const props = {
    ref,
    onPlay: () => setPlaying(true),
    onPause: () => setPlaying(false),
    onTimeUpdate: () => setPosition(ref.current?.currentTime ?? 0),
    onDurationChange: () => setLength(ref.current?.duration ?? 0),
  }
  return {
    props,
    isPlaying,
    position,
    length,
    seek,
    skip: (by: number) => seek((ref.current?.currentTime ?? 0) + by),
    toggle,
    setSpeed,
  }
}
