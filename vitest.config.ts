import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const all = ['{shared,server,web,emulator,simulator,demo,bench,bin}/**/*.test.{ts,tsx}', 'test/**/*.{test,spec}.ts']
/** Whatever works on a database runs on both engines; what a browser shows is the same on each. */
const onDatabase = globSync(['server/**/*.test.ts', 'test/**/*.test.ts']).filter((file) => {
  const text = readFileSync(file, 'utf8')
  return /startTestApp|startWithZoom|aWorld|freshDatabase/.test(text) && !text.includes('launchChromium')
})
const globalSetup = './test/global-setup.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      // One process for all of these: the server's code and the database's are loaded and warmed up only once.
      { extends: true, test: { name: 'pglite', include: onDatabase, isolate: false, globalSetup } },
      { extends: true, test: { name: 'postgresql', include: onDatabase, isolate: false, globalSetup } },
      { extends: true, test: { name: 'alone', include: all, exclude: onDatabase, globalSetup } },
    ],
    // Far more than anything takes: what waits goes on by an event, and a busy machine fails nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 30 } },
    restoreMocks: true,
  },
})
