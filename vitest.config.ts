import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The folder determines what a test runs on; `test/e2e` is for Playwright. */
const onPostgres = ['server/**/*.test.ts', 'test/api/**/*.test.ts', 'test/nodes/**/*.test.ts']
const onTheEmbeddedOneToo = ['server/db/**/*.test.ts', 'test/api/**/*.test.ts']
/** The database makes no difference to these, or `answer-shapes` and `tenants` make the same calls on both. */
const onPostgresAlone = [
  'test/api/{api-bodies,api-fuzz,guessing,headers,injection,route-table,sign-in-races,sites}.test.ts',
]
const inProcessesOfTheirOwn = ['test/{processes,faults,commands}/**/*.test.ts']
const onNoDatabase = ['{shared,web,emulator,simulator,demo,bench,bin}/**/*.test.ts', 'test/repository/**/*.test.ts']
const inABrowserlessPage = ['web/**/*.test.tsx']
const globalSetup = './test/runner/global-setup.ts'

export default defineConfig({
  test: {
    alias: { '@node-rs/argon2': fileURLToPath(new URL('test/runner/quick-argon2.ts', import.meta.url)) },
    pool: 'forks',
    maxWorkers: 3, // for two cores, since usually one test waits for a database or a process
    projects: [
      // All of these share one process, so that the server's code and the database are loaded and warmed up only once.
      {
        extends: true,
        test: {
          name: 'pglite',
          include: onTheEmbeddedOneToo,
          exclude: onPostgresAlone,
          isolate: false,
          globalSetup,
        },
      },
      { extends: true, test: { name: 'postgresql', include: onPostgres, isolate: false, globalSetup } },
      {
        extends: true,
        test: {
          name: 'processes',
          include: inProcessesOfTheirOwn,
          globalSetup: './test/runner/data-template.ts',
          execArgv: ['--liftoff-only'],
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          isolate: false,
          include: inABrowserlessPage,
          environment: 'jsdom',
          environmentOptions: { jsdom: { url: 'http://host.localhost:3000/', pretendToBeVisual: true } },
          setupFiles: ['./test/runner/unstub.ts', './test/pages/jsdom.ts'],
          globalSetup,
        },
      },
      { extends: true, test: { name: 'units', include: onNoDatabase, isolate: false } },
    ],
    // Generous timeouts: every wait ends with its event, and a busy machine must not fail a test.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    setupFiles: './test/runner/unstub.ts',
  },
})
