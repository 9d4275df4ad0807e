import { z } from 'zod'

/** The public settings that the server puts into the page. */
export const SiteInfo = z.object({
  site: z.enum(['public', 'host', 'master']),
  public_url: z.string(),
  host_url: z.string(),
  master_url: z.string(),
  phone_url: z.string(),
  demo_zoom: z.boolean(), // true while the emulator replaces Zoom
  zoom_origin: z.string(),
  zoom_connect_seconds: z.number().nullable(), // overrides the seconds that a form waits for Zoom's consent
  features: z.array(z.string()),
  play_store_url: z.string(), // empty until the app is published
  source_url: z.string().default(''), // empty if the operator configured none
  support_email: z.string(),
  support_phone: z.string(),
  sends_mail: z.boolean().default(false), // true where the server has a mail server
  seat_url: z.string().default(''), // the frame of the host's seat; empty elsewhere, and where HOST_SEAT is off
  seat_sound: z.boolean().default(false), // the seat may join the meeting's sound
  kept_days: z
    .object({ audit: z.number(), attendance: z.number(), recordings: z.number().nullable() }) // null: until deleted
    .default({ audit: 731, attendance: 396, recordings: null }),
})
export type SiteInfo = z.infer<typeof SiteInfo>

export const PhoneSiteInfo = z.object({
  phone_url: z.string(),
  meeting_url: z.string(), // the frame that runs Zoom's code
  public_url: z.string(),
  demo_zoom: z.boolean(),
  support_email: z.string(),
  support_phone: z.string(),
})
export type PhoneSiteInfo = z.infer<typeof PhoneSiteInfo>

/** The settings for the page in the phone app's frame. */
export const MeetingSiteInfo = z.object({ phone_url: z.string(), demo_zoom: z.boolean() })
export type MeetingSiteInfo = z.infer<typeof MeetingSiteInfo>

/** The settings for the page in the frame of the host's seat. */
export const SeatSiteInfo = z.object({ host_url: z.string() })
export type SeatSiteInfo = z.infer<typeof SeatSiteInfo>
