import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const FOLDERS = '{bench,bin,demo,deploy,emulator,server,shared,simulator,test,web}/**/*.{ts,tsx,mjs}'
/** A doc block that begins with one of these words is a phrase that only continues the name below it. */
const REFUSED =
  /^(what|of|by|for|with|at|in|as|to|from|those|whether|where|who|whom|whose|how|which|that|without|one|than|also|such)(?![\w-])/i

test('doc blocks are sentences: they begin with their subject or their verb', () => {
  const files = globSync([FOLDERS, '*.{ts,mjs}'], { exclude: (path) => /dist$|node_modules$/.test(String(path)) })
  const blocks = files.flatMap((file) => docBlocks(file, readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(1000)
  expect(blocks.length).toBeGreaterThan(1000)
  expect(blocks.filter(({ text }) => REFUSED.test(text)).map(faultOf)).toEqual([])
})

test.each([
  ['/** What the phones report. */', 'a.ts:1: What the phones report.'],
  ['\n/**\n * Of one host or all:\n * whole copies.\n */\nconst a = 1', 'a.ts:2: Of one host or all: whole copies.'],
  ['type A = {\n  /** by name */\n  a: string\n}', 'a.ts:2: by name'],
  ['const a = 1 /** Whether it is on. */', 'a.ts:1: Whether it is on.'],
  ['/** Counts finished copies of one host, or of all. */', null],
  ['/** One-time links of the users. */', null],
  ['/** Whoever signs in first. */', null],
  ['/** `to` is the address. */', null],
  ['/* What this is. */', null],
  ['// Of one host.', null],
  ["const a = '/** What */'", null],
  ["const globs = ['a/**', 'b/**/of.ts'] // by name", null],
])('%j is refused: %j', (source, fault) => {
  const blocks = docBlocks('a.ts', source).filter(({ text }) => REFUSED.test(text))
  expect(blocks.map(faultOf)).toEqual(fault === null ? [] : [fault])
})

interface DocBlock {
  file: string
  line: number
  text: string
}

const faultOf = ({ file, line, text }: DocBlock) => `${file}:${line}: ${text.slice(0, 160)}`

function docBlocks(file: string, source: string): DocBlock[] {
  return parseSync(file, source)
    .comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ start, value }) => ({
      file,
      line: source.slice(0, start).split('\n').length,
      text: value
        .replace(/\n\s*\*/g, '\n')
        .slice(1)
        .replace(/\s+/g, ' ')
        .trim(),
    }))
}
