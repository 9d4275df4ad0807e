import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'

/** Returns the file that the action makes the page download. */
export async function download(page: Page, act: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

/** Returns a downloaded CSV file without its byte order mark. */
export async function downloadCsv(page: Page, act: () => Promise<void>): Promise<{ name: string; lines: string[] }> {
  const { name, content } = await download(page, act)
  return { name, lines: content.toString('utf8').replace('\uFEFF', '').trimEnd().split('\r\n') }
}
