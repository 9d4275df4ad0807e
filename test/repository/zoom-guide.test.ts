import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { ZOOM_EVENTS } from '../../server/features/zoom-accounts/webhook-handlers.ts'
import { createOAuth } from '../../server/zoom/oauth.ts'
import { ZOOM_SCOPES } from '../../shared/zoom-scopes.ts'
import { type InlineText, readGuide } from '../../web/lib/markdown/read-guide.ts'

const guide = readGuide(await readFile('docs/zoom-setup.md', 'utf8'))

/** Returns the rows of the table under a heading, each cell as text. */
function tableUnder(heading: string): string[][] {
  const section = guide.sections.find(({ title }) => title === heading)
  const table = section?.blocks.find(({ kind }) => kind === 'table')
  return table?.kind === 'table' ? table.rows.map((row) => row.map((cell) => cell.map(textOf).join(''))) : []
}

const textOf = (words: InlineText) => (typeof words === 'string' ? words : 'code' in words ? words.code : '')

test('the guide to Zoom names the scopes that the code uses, with the purpose of each', () => {
  const rows = tableUnder('The scopes')
  expect(rows.map(([scope]) => scope)).toEqual(ZOOM_SCOPES.map(({ scope }) => scope))
  for (const [scope, purpose] of rows) expect(purpose, scope).toMatch(/\w{3}/)
})

test('the guide to Zoom names the events that the code handles, as Zoom’s portal does', () => {
  const rows = tableUnder('The events')
  expect(rows.map(([, , event]) => event)).toEqual(ZOOM_EVENTS)
  expect(new Set(rows.map(([, name]) => name)).size).toBe(19)
})

test("the guide to Zoom names the server's URLs", () => {
  const config = readConfig({
    PUBLIC_URL: 'https://parley.example',
    ZOOM_CLIENT_ID: 'id',
    ZOOM_CLIENT_SECRET: 'secret',
  })
  const oauth = createOAuth({ config, log: pino({ enabled: false }), now: Date.now })
  const redirect = new URL(oauth.authorizeUrl('state', 'challenge')).searchParams.get('redirect_uri')
  expect(tableUnder('The addresses').map(([, address]) => address)).toEqual([
    redirect,
    'https://parley.example/api/zoom/webhooks',
  ])
})
