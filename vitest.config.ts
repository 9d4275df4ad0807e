import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{shared,server,web,emulator,simulator,demo,bin}/**/*.test.{ts,tsx}', 'test/**/*.{test,spec}.ts'],
    globalSetup: './test/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
    restoreMocks: true,
  },
})
