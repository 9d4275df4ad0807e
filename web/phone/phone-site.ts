import { z } from 'zod'

const PhoneSite = z.object({ demo_zoom: z.boolean(), public_url: z.string() }).partial()

/** What the server writes into the page; the Vite development server writes nothing. */
export const phoneSite = readSite(document.getElementById('site-info')?.textContent)

function readSite(text: string | null | undefined) {
  const site = text ? PhoneSite.safeParse(JSON.parse(text)) : undefined
  return { demo_zoom: false, public_url: '', ...site?.data }
}
