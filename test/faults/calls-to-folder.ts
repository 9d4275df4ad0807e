import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { buildPng, logoForm } from '../factories/logo.ts'
import type { Cluster } from './cluster.ts'

const UPLOADS = 8

/** Uploads logos while the servers' shared folder is full: each is refused and leaves nothing behind. */
export async function fillFolder({ port, nodes, dataDir }: Cluster, token: string, ms: number): Promise<void> {
  const logos = async () => (await readdir(join(dataDir, 'logos')).catch(() => [])).toSorted()
  const upload = async () => {
    const init = { method: 'POST', body: logoForm(buildPng(), 'a.png'), headers: { authorization: `Bearer ${token}` } }
    return (await fetch(`http://127.0.0.1:${port}/api/host/upload-logo`, init)).status
  }
  expect(await upload()).toBe(200)
  const before = await logos()
  for (const { machine } of nodes) await machine?.setDiskFull(true)
  for (let sent = 0; sent < UPLOADS; sent++) {
    expect(await upload()).toBe(500)
    await delay(ms / UPLOADS)
  }
  expect(await logos()).toEqual(before)
  for (const { machine } of nodes) await machine?.setDiskFull(false)
  expect(await upload()).toBe(200)
}
