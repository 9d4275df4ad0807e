import { PhoneSiteInfo } from '../../shared/site.ts'

const PhoneSite = PhoneSiteInfo.pick({ demo_zoom: true, public_url: true, meeting_url: true }).partial()

/** The settings that the server puts into the page; the Vite development server puts none. */
export const phoneSite = readSite(document.getElementById('site-info')?.textContent)

function readSite(text: string | null | undefined) {
  const site = text ? PhoneSite.safeParse(JSON.parse(text)) : undefined
  return { demo_zoom: false, public_url: '', meeting_url: '', ...site?.data }
}
