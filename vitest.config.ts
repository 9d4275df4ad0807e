import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const all = ['{shared,server,web,emulator,simulator,demo,bench,bin}/**/*.test.{ts,tsx}', 'test/**/*.{test,spec}.ts']
/** Whatever works on a database runs on both engines; what a browser shows is the same on each. */
const onDatabase = globSync(['server/**/*.test.ts', 'test/**/*.test.ts']).filter((file) => {
  const text = readFileSync(file, 'utf8')
  return /startTestApp|startWithZoom|aWorld|freshDatabase/.test(text) && !text.includes('launchChromium')
})

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'pglite', include: all, globalSetup: './test/global-setup.ts' } },
      { extends: true, test: { name: 'postgresql', include: onDatabase, globalSetup: './test/global-setup.ts' } },
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
})
