import type { Browser } from '@playwright/test'
import { launchChromium } from '../../test/e2e/support/chromium.ts'
import { dataFolder, type ServerProcess, startServerProcess } from '../../test/servers/server-process.ts'
import type { Benchmark, GoalResult } from '../benchmark.ts'
import { measureCrowd } from '../seat/crowd.ts'
import { measureVoices } from '../seat/voices.ts'

/** Takes the host's seat with a console in a browser, in meetings of telephone guests, who need no browsers. */
export const seat: Benchmark = {
  name: 'seat',
  async run() {
    const folder = await dataFolder()
    const env = { DATA_DIR: folder.path, ZOOM_EMULATOR_CONTROL: '1' }
    const server = await startServerProcess(env, [], undefined, [])
    const browser = await launchChromium()
    try {
      return await measureAll(server, browser)
    } finally {
      await browser.close()
      await server.kill('SIGKILL')
      await folder.remove()
    }
  },
}

async function measureAll(server: ServerProcess, browser: Browser): Promise<GoalResult[]> {
  return [...(await measureVoices(server, browser)), ...(await measureCrowd(server, browser))]
}
