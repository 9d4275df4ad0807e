import classes from './RoomPicture.module.css'

const COLUMNS = 9
const ROWS = 6
/** Indexes of the tiles: the speaker, a raised hand, and attentive listeners; all others are quiet. */
const SPEAKING = 31
const ASKING = 16
const LISTENING = new Set([4, 11, 20, 23, 28, 38, 41, 48, 52])

const tiles = Array.from({ length: COLUMNS * ROWS }, (_, index) => index)

/** A decorative room seen from above: many people, one voice. */
export function RoomPicture() {
  return (
    <svg className={classes.picture} viewBox="0 0 540 360" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {tiles.map((index) => (
        <Tile key={index} index={index} />
      ))}
    </svg>
  )
}

function Tile({ index }: { index: number }) {
  const x = (index % COLUMNS) * 60 + 5
  const y = Math.floor(index / COLUMNS) * 60 + 5
  const tile = { width: 50, height: 50, rx: 13 }
  if (index === SPEAKING) {
    return (
      <g transform={`translate(${x} ${y})`}>
        <rect {...tile} fill="#5cc4c0" />
        <g className={classes.bars} stroke="#0c1f29" strokeWidth="4.5" strokeLinecap="round">
          <path d="M15 21v8" />
          <path d="M25 14v22" />
          <path d="M35 19v12" />
        </g>
      </g>
    )
  }
  const isAsking = index === ASKING
  const isListening = LISTENING.has(index)
  const frame = isAsking
    ? { fill: 'none', stroke: '#ffb074', strokeWidth: 2 }
    : { fill: isListening ? '#17404a' : '#122a35' }
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect {...tile} {...frame} />
      <g fill={isAsking ? '#ffb074' : '#ffffff'} opacity={isAsking ? 1 : isListening ? 0.34 : 0.16}>
        <circle cx="25" cy="21" r="5.5" />
        <path d="M15.5 36a9.5 7.5 0 0 1 19 0" />
      </g>
    </g>
  )
}
