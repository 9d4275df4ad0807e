import { openMicrophone } from './microphone.ts'

export const RECORDING_MS = 3_000
const LEVEL_MS = 80

type Options = {
  onRecording: () => void
  /** Called with levels from 0 to 1. */
  onLevel: (level: number) => void
  onPlaying: () => void
  /** Aborting also closes the microphone. */
  signal: AbortSignal
}

/** Records, plays back, and resolves with the loudest level. The microphone is only open while recording. */
export async function recordAndPlay({ onRecording, onLevel, onPlaying, signal }: Options): Promise<number> {
  const context = new AudioContext() // within the tap, else iOS keeps it silent
  const close = () => void context.close().catch(() => {})
  signal.addEventListener('abort', close)
  try {
    const { recording, loudest } = await record(context, onRecording, onLevel, signal)
    const source = context.createBufferSource()
    source.buffer = await context.decodeAudioData(await recording.arrayBuffer())
    signal.throwIfAborted()
    source.connect(context.destination)
    onPlaying()
    await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      source.onended = resolve
      source.start()
    })
    return loudest
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

async function record(
  context: AudioContext,
  onRecording: () => void,
  onLevel: Options['onLevel'],
  signal: AbortSignal,
) {
  const stream = await openMicrophone()
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  signal.addEventListener('abort', stop)
  let loudest = 0
  let timer: ReturnType<typeof setInterval> | undefined
  try {
    signal.throwIfAborted()
    onRecording()
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(stream).connect(analyser)
    timer = setInterval(() => {
      const level = levelOf(analyser)
      loudest = Math.max(loudest, level)
      onLevel(level)
    }, LEVEL_MS)
    const recording = await recordFor(stream, RECORDING_MS)
    signal.throwIfAborted()
    return { recording, loudest }
  } finally {
    clearInterval(timer)
    stop()
    signal.removeEventListener('abort', stop)
  }
}

function recordFor(stream: MediaStream, ms: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const recorder = new MediaRecorder(stream)
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.onerror = () => reject(new Error('The recording failed'))
    recorder.onstop = () => resolve(new Blob(parts, { type: recorder.mimeType }))
    recorder.start()
    setTimeout(() => {
      if (recorder.state !== 'inactive') recorder.stop()
    }, ms)
  })
}

const QUIETEST_DB = -60

/** Converts to decibels, like human hearing: 0 at -60 dB and below. */
function levelOf(analyser: AnalyserNode): number {
  const samples = new Float32Array(analyser.fftSize)
  analyser.getFloatTimeDomainData(samples)
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  const decibels = 10 * Math.log10(power + 1e-12)
  return Math.min(1, Math.max(0, 1 - decibels / QUIETEST_DB))
}
