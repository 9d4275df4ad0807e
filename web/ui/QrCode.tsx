import { useMemo } from 'react'
import { encode } from 'uqr'

/** The white edge that a camera needs, in dots. */
const QUIET_ZONE = 4

/** Black on white in both schemes, since many cameras read nothing else. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string | undefined }) {
  const { size, dots } = useMemo(() => readDots(text), [text])
  return (
    <svg
      className={className}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="white" />
      <path d={dots} fill="black" />
    </svg>
  )
}

/** Draws one stroke for each run of dots in a line. */
function readDots(text: string): { size: number; dots: string } {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const strokes = data.flatMap((line, y) =>
    [
      ...line
        .map((dot) => (dot ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  )
  return { size, dots: strokes.join('') }
}
