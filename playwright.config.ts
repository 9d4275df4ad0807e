import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './test/e2e/support/chromium.ts'

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/data-template.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Far more than anything takes: every wait ends with what it waits for, and a busy machine fails nothing.
  timeout: 240_000,
  expect: { timeout: 45_000 },
  use: {
    browserName: 'chromium',
    launchOptions: chromiumOptions,
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' }, // no test waits for a menu to have faded in
    actionTimeout: 45_000,
    navigationTimeout: 90_000,
    screenshot: 'only-on-failure',
    trace: { mode: 'retain-on-failure', screenshots: false },
  },
})
