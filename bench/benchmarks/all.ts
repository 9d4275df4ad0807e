import type { Benchmark } from '../benchmark.ts'
import { backup } from './backup.ts'
import { before } from './before.ts'
import { frozenPostgresql } from './frozen-postgresql.ts'
import { guesses } from './guesses.ts'
import { hangingZoom } from './hanging-zoom.ts'
import { killedNode } from './killed-node.ts'
import { logins } from './logins.ts'
import { memory } from './memory.ts'
import { muteAll } from './mute-all.ts'
import { nodes } from './nodes.ts'
import { onlinePage } from './online-page.ts'
import { phoneToConsole } from './phone-to-console.ts'
import { poll304 } from './poll-304.ts'
import { pollChanged } from './poll-changed.ts'
import { pollWrk } from './poll-wrk.ts'
import { recording } from './recording.ts'
import { redisAway } from './redis-away.ts'
import { rollingRestart } from './rolling-restart.ts'
import { seat } from './seat.ts'
import { signInFlood } from './sign-in-flood.ts'
import { silentPostgresql } from './silent-postgresql.ts'
import { slopes } from './slopes.ts'
import { soak } from './soak.ts'
import { stalledReaders } from './stalled-readers.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { streamCycles } from './stream-cycles.ts'
import { streams } from './streams.ts'
import { webhooks } from './webhooks.ts'
import { year } from './year.ts'

export const BENCHMARKS: Benchmark[] = [
  poll304,
  pollChanged,
  pollWrk,
  status,
  muteAll,
  streams,
  phoneToConsole,
  logins,
  guesses,
  signInFlood,
  onlinePage,
  seat,
  start,
  memory,
  recording,
  webhooks,
  backup,
  before,
  hangingZoom,
  frozenPostgresql,
  killedNode,
  nodes,
  slopes,
  stalledReaders,
  streamCycles,
  rollingRestart,
  silentPostgresql,
  redisAway,
  soak,
  year,
]
