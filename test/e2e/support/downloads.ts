import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'

/** The file that the page hands to the browser because of this act. */
export async function download(page: Page, act: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}

/** The same of a CSV file, without its byte order mark. */
export async function downloadCsv(page: Page, act: () => Promise<void>): Promise<{ name: string; lines: string[] }> {
  const { name, content } = await download(page, act)
  return { name, lines: content.toString('utf8').replace('\uFEFF', '').trimEnd().split('\r\n') }
}
