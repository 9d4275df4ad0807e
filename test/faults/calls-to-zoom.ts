import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { http } from '../servers/server-process.ts'
import type { Cluster } from './cluster.ts'

const PATH = '/recordings?fetch_live=true&from='
const PAUSE_MS = 500

/** Lists recordings from Zoom during `work`: each call fails with a stated cause or returns the last known data. */
export async function listRecordingsDuring(cluster: Cluster, token: string, work: () => Promise<void>): Promise<void> {
  const list = (day: number) => http(cluster, 'GET', `${PATH}2026-01-${String(day).padStart(2, '0')}`, { token })
  expect((await list(1)).status).toBe(200)
  const calls: ReturnType<typeof list>[] = []
  let isOver = false
  const calling = (async () => {
    for (let day = 2; !isOver && day <= 28; day++) {
      calls.push(list(day))
      await delay(PAUSE_MS)
    }
  })()
  await work()
  isOver = true
  await calling
  for (const { status, body } of await Promise.all(calls))
    expect([status, body.code ?? body.data?.stale]).toEqual(status === 200 ? [200, true] : [502, 'zoom_unavailable'])
}
