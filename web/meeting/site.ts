import { MeetingSiteInfo } from '../../shared/site.ts'

/** What the server wrote into the frame's page. */
export const readSite = (): MeetingSiteInfo =>
  MeetingSiteInfo.parse(JSON.parse(document.getElementById('site-info')?.textContent ?? '{}'))
