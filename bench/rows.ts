import { httpRows } from './http-rows.ts'
import { muteAllRows } from './mute-all-rows.ts'
import type { Row } from './row.ts'

export const rows: Row[] = [...httpRows, ...muteAllRows]
