import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

const DOCUMENTS = [...globSync('*.md'), ...globSync('docs/**/*.md')]
const PATH = /`((?:bench|bin|demo|deploy|docs|emulator|migrations|server|shared|simulator|test|web)\/[\w./@-]+)`/g

test.each(DOCUMENTS)('%s names existing files', (document) => {
  const text = readFileSync(document, 'utf8')
  const named = [...text.matchAll(PATH)].map(([, path = '']) => path)
  const linked = [...text.matchAll(/\]\(([\w./-]+)\)/g)].map(([, path = '']) => join(dirname(document), path))
  // A clone lacks built and downloaded files, and settings.
  const missing = [...named, ...linked].filter(
    (path) => !/^web\/dist|^deploy\/(\.env|secrets)|node_modules/.test(path) && !existsSync(path),
  )
  expect(missing).toEqual([])
})

test('the list of decisions is complete', () => {
  const linked = [...readFileSync('docs/decisions/README.md', 'utf8').matchAll(/\((\d{4}-[\w-]+\.md)\)/g)]
  expect(linked.map(([, file]) => file)).toEqual(
    globSync('docs/decisions/0*.md')
      .sort()
      .map((path) => basename(path)),
  )
})

test('each release has its section in the list of changes, which begins with what to do before it', () => {
  const [, ...sections] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
  expect(sections[0]).toMatch(new RegExp(`^${packageJson.version}\n`))
  for (const section of sections) expect(section).toContain('**Before you update:**')
})
