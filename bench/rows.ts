import { frozenPostgresqlRow } from './frozen-postgresql-row.ts'
import { hostTableRow } from './host-table-row.ts'
import { loginsRow } from './logins-row.ts'
import { muteAllRow } from './mute-all-row.ts'
import { onlinePageRow } from './online-page-row.ts'
import { phoneToConsoleRow } from './phone-to-console-row.ts'
import { pollRows } from './poll-rows.ts'
import { recordingRow } from './recording-row.ts'
import type { Row } from './row.ts'
import { soakRow } from './soak-row.ts'
import { startRow } from './start-row.ts'
import { statusRow } from './status-row.ts'
import { streamsRow } from './streams-row.ts'
import { hangingZoomRow, webhooksRow } from './zoom-rows.ts'

export const rows: Row[] = [
  ...pollRows,
  statusRow,
  muteAllRow,
  streamsRow,
  phoneToConsoleRow,
  loginsRow,
  onlinePageRow,
  hostTableRow,
  startRow,
  recordingRow,
  webhooksRow,
  hangingZoomRow,
  frozenPostgresqlRow,
  soakRow,
]
