import { MeetingSiteInfo } from '../../shared/site.ts'

/** Reads the settings that the server put into the frame's page. */
export const readMeetingSiteInfo = (): MeetingSiteInfo =>
  MeetingSiteInfo.parse(JSON.parse(document.getElementById('site-info')?.textContent ?? '{}'))
