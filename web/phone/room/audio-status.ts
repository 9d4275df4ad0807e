import { type Icon, IconMicrophone, IconMicrophoneOff, IconVolumeOff } from '@tabler/icons-react'
import type { WordKey } from '../words/words.ts'
import type { RoomView } from './room-session.ts'

export type AudioStatus = {
  tone: 'heard' | 'off' | 'muted' | 'none'
  icon: Icon
  title: WordKey
  detail: WordKey
}

const NO_SOUND = {
  off: ['room.sound_off', 'room.sound_off_detail'],
  joining: ['room.no_sound', 'room.no_sound_detail'],
  ready: ['room.ready', 'room.ready_detail'],
  blocked: ['room.sound_blocked', 'room.sound_blocked_detail'],
  lost: ['room.sound_lost', 'room.sound_lost_detail'],
} as const

/** Returns the largest text on the screen: whether the user can hear and be heard. */
export function audioStatusOf({ state, sound }: Pick<RoomView, 'state' | 'sound'>): AudioStatus {
  if (sound.audio !== 'on') {
    const [title, detail] = NO_SOUND[sound.audio]
    if (sound.trouble === null) return { tone: 'none', icon: IconVolumeOff, title, detail }
    // The line below explains it, with what happens next.
    const isOver = sound.trouble === 'meeting_ended'
    return { tone: 'none', icon: IconVolumeOff, title: isOver ? 'room.over' : title, detail: 'room.sound_off_detail' }
  }
  if (state.is_muted) {
    const title = state.host_mute_all_active ? 'room.muted_all' : 'room.muted'
    const detail = sound.microphone === 'on' ? 'room.closing' : 'room.muted_detail'
    return { tone: 'muted', icon: IconMicrophoneOff, title, detail }
  }
  switch (sound.microphone) {
    case 'on':
      return { tone: 'heard', icon: IconMicrophone, title: 'room.heard', detail: 'room.heard_detail' }
    case 'off':
    case 'silenced':
      return {
        tone: 'off',
        icon: IconMicrophoneOff,
        title: 'room.microphone_off',
        detail: sound.microphone === 'off' ? 'room.microphone_off_detail' : 'room.silenced_detail',
      }
    case 'refused':
    case 'missing':
      return {
        tone: 'off',
        icon: IconMicrophoneOff,
        title: 'room.listening_only',
        detail: `room.${sound.microphone}_detail`,
      }
  }
}

/** Zoom's own button must be tapped before there is any sound. */
export const mustTapJoinAudio = ({ audio }: RoomView['sound']): boolean => audio === 'ready'

/** True while Zoom's window is opening or shows its own wait. */
export const isZoomWatched = ({ audio, trouble }: RoomView['sound']): boolean =>
  audio === 'ready' || (audio === 'joining' && (trouble === null || trouble === 'waiting_room'))

/** Returns null if the user may speak. */
export function cannotSpeakReason({
  state,
  sound,
  connection,
}: Pick<RoomView, 'state' | 'sound' | 'connection'>): WordKey | null {
  if (state.is_muted) return state.host_mute_all_active ? 'room.cannot_speak_all' : 'room.cannot_speak_muted'
  if (sound.audio !== 'on') return 'room.cannot_speak_sound'
  if (connection === 'lost') return 'room.cannot_speak_connection' // nobody could mute this phone
  if (sound.microphone === 'refused') return 'room.cannot_speak_refused'
  if (sound.microphone === 'missing') return 'room.cannot_speak_missing'
  return null
}

/** Names the buttons to speak and to ask, which depend on the host too. */
export function buttonsOf({ state, sound, unsent_hand }: RoomView): string | null {
  if (state.asked_to_speak) return 'asked'
  if (mustTapJoinAudio(sound)) return null
  const isOpen = sound.microphone === 'on' && !state.is_muted
  return `${isOpen ? 'stop' : 'speak'} ${(unsent_hand ?? state.wants_to_speak) ? 'lower' : 'ask'}`
}

/** Merges the names from Parley and from the meeting, which includes speakers in the Zoom app. */
export function speakersOf({ now, sound }: Pick<RoomView, 'now' | 'sound'>): string[] {
  return [...new Set([...(now?.speaking ?? []).map(({ username }) => username), ...sound.speaking])]
}
