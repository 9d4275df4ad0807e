import type { Login } from '../../../shared/phone/phone.ts'
import { FramedMeetingAudio } from '../audio/framed-meeting-audio.ts'
import { phoneSite } from '../phone-site.ts'
import { translate } from '../words/language.ts'
import { PhoneRoom } from './phone-room.ts'
import type { RoomSession } from './room-session.ts'

/** Zoom's codes for those of the app's languages that its own interface has. */
const ZOOM_LANGUAGES: Record<string, string> = { en: 'en-US', es: 'es-ES' }

export function openRoom(baseUrl: string, login: Login): RoomSession {
  return new PhoneRoom(baseUrl, login, (container) => {
    const language = ZOOM_LANGUAGES[document.documentElement.lang] ?? 'en-US'
    const title = translate('room.meeting')
    return new FramedMeetingAudio({ origin: phoneSite.meeting_url, title, language, container })
  })
}
