import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './test/e2e/support/chromium.ts'

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/runner/data-template.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // Generous timeouts: every wait ends with its event, and a busy machine must not fail a test.
  timeout: 240_000,
  expect: { timeout: 45_000 },
  use: {
    browserName: 'chromium',
    launchOptions: chromiumOptions,
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' }, // no test waits for a menu's fade-in
    actionTimeout: 45_000,
    navigationTimeout: 90_000,
    screenshot: 'only-on-failure',
    // Recording a trace costs a test a seventh of its time. Where a failed test is tried again, the second try has one.
    trace: { mode: process.env.CI ? 'on-first-retry' : 'retain-on-failure', screenshots: false },
  },
})
