import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The folder says on what a test runs; browser tests (`test/e2e`) are Playwright's. */
const onPostgres = ['server/**/*.test.ts', 'test/api/**/*.test.ts', 'test/nodes/**/*.test.ts']
const onTheEmbeddedOneToo = ['server/db/**/*.test.ts', 'test/api/**/*.test.ts']
const inProcessesOfTheirOwn = ['test/{processes,faults}/**/*.test.ts']
const onNoDatabase = ['{shared,web,emulator,simulator,demo,bench,bin}/**/*.test.ts', 'test/repository/**/*.test.ts']
const inABrowserlessPage = ['web/**/*.test.tsx']
const globalSetup = './test/global-setup.ts'

export default defineConfig({
  test: {
    alias: { '@node-rs/argon2': fileURLToPath(new URL('test/quick-argon2.ts', import.meta.url)) },
    pool: 'forks',
    maxWorkers: 3, // on two cores: one of them waits for a database or a process, as a rule
    projects: [
      // One process for all of these: the server's code and the database's are loaded and warmed up only once.
      { extends: true, test: { name: 'pglite', include: onTheEmbeddedOneToo, isolate: false, globalSetup } },
      { extends: true, test: { name: 'postgresql', include: onPostgres, isolate: false, globalSetup } },
      {
        extends: true,
        test: { name: 'processes', include: inProcessesOfTheirOwn, globalSetup: './test/data-template.ts' },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          isolate: false,
          maxWorkers: 2, // they wait for nothing
          sequence: { groupOrder: 1 },
          include: inABrowserlessPage,
          environment: 'jsdom',
          environmentOptions: { jsdom: { url: 'http://host.localhost:3000/', pretendToBeVisual: true } },
          setupFiles: ['./test/unstub.ts', './test/jsdom.ts'],
          globalSetup,
        },
      },
      { extends: true, test: { name: 'units', include: onNoDatabase, isolate: false } },
    ],
    // Far more than anything takes: every wait ends with what it waits for, and a busy machine fails nothing.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    setupFiles: './test/unstub.ts',
  },
})
