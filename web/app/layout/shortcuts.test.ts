import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('no other part of the console listens for keys, which the list would have to name', () => {
  const listens = /addEventListener\('keydown'|onKeyDown=|useHotkeys|shortcut=/
  const web = new URL('../../', import.meta.url).pathname
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|^(phone|seat|dist)\//.test(file),
  )
  expect(files.filter((file) => listens.test(readFileSync(web + file, 'utf8'))).sort()).toEqual([
    'app/layout/CommandPalette.tsx',
    'app/layout/KeyboardHelp.tsx',
    'features/online-users/controls/RoomKeys.tsx',
    'features/online-users/tiles/Toolbar.tsx',
    'features/online-users/tiles/use-type-to-find.ts',
    'features/public-pages/documentation/DocSearch.tsx', // outside the console
    'features/recordings/Player.tsx',
    'features/recordings/Transcript.tsx', // closes by Escape what is open
    'features/recordings/TranscriptLines.tsx', // moves along the lines
    'ui/PasswordField.tsx', // notices Caps Lock
    'ui/base/LightPasswordField.tsx',
    'ui/charts/Scrubber.tsx', // moves along a picture
    'ui/repeated-keys.ts', // ignores a held key
    'widgets/phone-inbox/chime.ts', // any key lets it sound
    'widgets/room-words/WordDialog.tsx', // Enter sends
  ])
})
