import { z } from 'zod'

/** The server's public settings for the page. */
export const SiteInfo = z.object({
  site: z.enum(['public', 'host', 'master']),
  public_url: z.string(),
  host_url: z.string(),
  master_url: z.string(),
  phone_url: z.string(),
  demo_zoom: z.boolean(), // the emulator stands in for Zoom
  zoom_origin: z.string(),
  zoom_connect_seconds: z.number().nullable(), // overrides how long a form waits for Zoom's consent
  features: z.array(z.string()),
  play_store_url: z.string(), // empty while the app is not published
  source_url: z.string().default(''), // empty where the operator names none
  support_email: z.string(),
  support_phone: z.string(),
})
export type SiteInfo = z.infer<typeof SiteInfo>

/** For the phone app's page. */
export const PhoneSiteInfo = z.object({
  phone_url: z.string(),
  meeting_url: z.string(), // of the frame in which Zoom's code runs
  public_url: z.string(),
  demo_zoom: z.boolean(),
  support_email: z.string(),
  support_phone: z.string(),
})
export type PhoneSiteInfo = z.infer<typeof PhoneSiteInfo>

/** For the page in that frame. */
export const MeetingSiteInfo = z.object({ phone_url: z.string(), demo_zoom: z.boolean() })
export type MeetingSiteInfo = z.infer<typeof MeetingSiteInfo>
