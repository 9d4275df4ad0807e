import { SiteInfo } from '../shared/site.ts'

const INFO = /<script type="application\/json" id="site-info">(.*?)<\/script>/s
const TIMEOUT_MS = 2_000

/** The address of the stand-in for Zoom that this server uses, as its pages name it; none if it uses Zoom. */
export async function findDemoZoom(server: string): Promise<string | undefined> {
  try {
    const page = await fetch(`${server}/`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const [, info = ''] = INFO.exec(await page.text()) ?? []
    const { demo_zoom, zoom_origin } = SiteInfo.parse(JSON.parse(info))
    return demo_zoom ? zoom_origin : undefined
  } catch {
    return undefined // not built, or a name in front of it that leads elsewhere: the phones join without sound
  }
}
