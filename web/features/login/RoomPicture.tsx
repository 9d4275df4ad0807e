import classes from './RoomPicture.module.css'

const COLUMNS = 9
const ROWS = 6
/** Who talks in the picture and who listens attentively; all others are quiet. */
const SPEAKING = 31
const ASKING = 16
const LISTENING = new Set([4, 11, 20, 23, 28, 38, 41, 48, 52])

const tiles = Array.from({ length: COLUMNS * ROWS }, (_, index) => index)

/** A room seen from above: many people, one voice. Decoration only. */
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
  if (index === SPEAKING) {
    return (
      <g transform={`translate(${x} ${y})`}>
        <rect width="50" height="50" rx="13" className={classes.speaking} />
        <g className={classes.bars}>
          <path d="M15 21v8" />
          <path d="M25 14v22" />
          <path d="M35 19v12" />
        </g>
      </g>
    )
  }
  const kind = index === ASKING ? classes.asking : LISTENING.has(index) ? classes.listening : classes.quiet
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width="50" height="50" rx="13" className={kind} />
      <circle cx="25" cy="21" r="5.5" className={classes.head} />
      <path d="M15.5 36a9.5 7.5 0 0 1 19 0" className={classes.head} />
    </g>
  )
}
