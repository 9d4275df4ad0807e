import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

/** The first is Chromium without its own windows, which opens a page in a fraction of the time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The system's Chromium with an empty profile and no background requests. */
export const chromiumOptions = {
  executablePath: process.env.CHROMIUM ?? NAMES.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path)),
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--autoplay-policy=no-user-gesture-required',
  ],
}

export function launchChromium() {
  if (!chromiumOptions.executablePath) throw new Error('Chromium is not installed; npm test installs it where it may')
  return chromium.launch(chromiumOptions)
}
