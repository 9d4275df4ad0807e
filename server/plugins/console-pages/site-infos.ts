import type { MeetingSiteInfo, PhoneSiteInfo, SeatSiteInfo, SiteInfo } from '../../../shared/site.ts'
import { type Config, DEMO_CLIENT_ID } from '../../config.ts'
import { SEAT_PATH, siteOrigins } from '../../lib/sites.ts'

export function consoleInfo(config: Config, site: SiteInfo['site']): SiteInfo {
  const origins = siteOrigins(config)
  return {
    site,
    public_url: origins.public,
    host_url: origins.host,
    master_url: origins.master,
    phone_url: origins.phone,
    demo_zoom: isDemo(config),
    zoom_origin: config.ZOOM_OAUTH_URL,
    zoom_connect_seconds: config.ZOOM_CONNECT_SECONDS ?? null,
    features: config.FEATURES,
    play_store_url: config.PLAY_STORE_URL ?? '',
    source_url: config.SOURCE_URL ?? '',
    support_email: config.SUPPORT_EMAIL,
    support_phone: config.SUPPORT_PHONE ?? '',
    sends_mail: config.SMTP_URL !== undefined,
    seat_url: config.HOST_SEAT && site === 'host' ? origins.meeting + SEAT_PATH : '',
    seat_sound: config.HOST_SEAT && config.HOST_SEAT_SOUND && site === 'host',
    kept_days: {
      audit: config.RETENTION_AUDIT_DAYS,
      attendance: config.RETENTION_ATTENDANCE_DAYS,
      recordings: config.RETENTION_RECORDINGS_DAYS ?? null,
    },
  }
}

export function phoneInfo(config: Config): PhoneSiteInfo {
  const origins = siteOrigins(config)
  return {
    phone_url: origins.phone,
    meeting_url: origins.meeting,
    public_url: origins.public,
    demo_zoom: isDemo(config),
    support_email: config.SUPPORT_EMAIL,
    support_phone: config.SUPPORT_PHONE ?? '',
  }
}

export function meetingInfo(config: Config): MeetingSiteInfo {
  return { phone_url: siteOrigins(config).phone, demo_zoom: isDemo(config) }
}

export function seatInfo(config: Config): SeatSiteInfo {
  return { host_url: siteOrigins(config).host }
}

const isDemo = ({ ZOOM_CLIENT_ID }: Config) => ZOOM_CLIENT_ID === DEMO_CLIENT_ID
