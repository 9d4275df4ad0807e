import { SiteInfo } from '../shared/site.ts'

const INFO = /<script type="application\/json" id="site-info">(.*?)<\/script>/s
const TIMEOUT_MS = 2_000

/** Reads the address of the Zoom emulator from the server's page; undefined if the server uses Zoom itself. */
export async function findDemoZoom(server: string): Promise<string | undefined> {
  try {
    const page = await fetch(`${server}/`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const [, info = ''] = INFO.exec(await page.text()) ?? []
    const { demo_zoom, zoom_origin } = SiteInfo.parse(JSON.parse(info))
    return demo_zoom ? zoom_origin : undefined
  } catch {
    return undefined // the page is not built, or a proxy leads elsewhere: the phones join without sound
  }
}
