import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PUBLIC_PAGES } from '../../../shared/pages.ts'
import { tagsFor } from './page-files.ts'

const MANIFEST = {
  'index.html': { file: 'assets/index.js', imports: ['_base.js'], css: ['assets/index.css'] },
  'phone/index.html': { file: 'assets/phone.js', imports: ['_form.js'] },
  '_base.js': { file: 'assets/base.js' },
  '_form.js': { file: 'assets/form.js', imports: ['_base.js'], css: ['assets/form.css'] },
  'session/Login.tsx': { file: 'assets/Login.js', imports: ['_form.js', '_base.js', 'index.html'] },
}

test("preloads what the page's screen needs, without repeating what is included", () => {
  expect(tagsFor(MANIFEST, 'session/Login.tsx', 'index.html')).toBe(
    '<link rel="modulepreload" crossorigin href="/assets/Login.js">' +
      '<link rel="modulepreload" crossorigin href="/assets/form.js">' +
      '<link rel="stylesheet" crossorigin href="/assets/form.css">',
  )
  expect(tagsFor(MANIFEST, 'session/Gone.tsx', 'index.html')).toBe('')
})

test.each(Object.values(PUBLIC_PAGES))('the screen $screen is where the list of pages expects it', ({ screen }) => {
  expect(existsSync(new URL(`../../../web/${screen}`, import.meta.url))).toBe(true)
})
