import type { RoomSession, RoomView } from '../../../../web/phone/room/room-session.ts'

/** The parts of the view of which a change may leave fields as they are. */
type Part = 'login' | 'state' | 'sound' | 'now'
type Changes = Partial<Omit<RoomView, Part>> & { [K in Part]?: Partial<RoomView[K]> | null }

const NEXT = { starts_at: '2099-12-01T19:30:00.000Z', ends_at: '2099-12-01T21:00:00.000Z' }

const VIEW: RoomView = {
  login: {
    user: { id: 'u1', user_id: 'U000001', username: 'Maria Fernandes', reference: null, is_host: false },
    room: { room_id: 'r1', room_name: 'Evening circle', zoom_meeting_id: '85012345678', next_meeting: NEXT },
    app: {
      user_title: 'Evening circle of St Anne',
      helpline: '+44 20 7946 0958',
      message: 'Reading tonight: chapter four. Please keep your question to a minute.',
      logo_url: null,
      allow_recording: true,
    },
  },
  state: {
    id: 'u1',
    is_host: false,
    is_muted: false,
    speaker_on: false,
    is_speaking: false,
    wants_to_speak: false,
    host_mute_all_active: false,
    asked_to_speak: false,
    ended: null,
  },
  sound: {
    audio: 'on',
    microphone: 'off',
    trouble: null,
    zoom_code: null,
    speaking: [],
    people: 41,
    is_recording: false,
    is_weak: false,
  },
  is_tap_awaited: false,
  connection: 'open',
  unsent_hand: null,
  unsent_no: false,
  now: {
    online: 42,
    speaking: [{ id: 'u2', username: 'Thomas Okafor' }],
    waiting: 3,
    queue_place: null,
    next_meeting: NEXT,
  },
  turn: null,
  join_url: 'https://zoom.us/j/85012345678',
}

export type FakeSession = RoomSession & {
  /** All calls in order. */
  calls: string[]
  show: (changes: Changes) => void
}

/** A room without a server: shows the given state and records its calls. */
export function fakeSession(changes: Changes = {}): FakeSession {
  const calls: string[] = []
  const listeners = new Set<() => void>()
  let view = changed(VIEW, changes)
  const act = (name: string) => async () => {
    calls.push(name)
  }
  return {
    calls,
    get view() {
      return view
    },
    show(more) {
      view = changed(view, more)
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    join(container) {
      calls.push('join')
      container.replaceChildren(meetingStandIn())
    },
    leaveSound: act('leaveSound'),
    speak: act('speak'),
    stopSpeaking: act('stopSpeaking'),
    raiseHand: act('raiseHand'),
    lowerHand: act('lowerHand'),
    decline: act('decline'),
    confirmWord: async (id, answer) => void calls.push(`confirmWord ${id} ${answer ?? 'read'}`),
    close: () => void calls.push('close'),
  }
}

function changed(view: RoomView, changes: Changes): RoomView {
  const { login, state, sound, now, ...rest } = changes
  return {
    ...view,
    ...rest,
    login: { ...view.login, ...login },
    state: { ...view.state, ...state },
    sound: { ...view.sound, ...sound },
    now: now === null || !view.now ? null : { ...view.now, ...now },
  }
}

function meetingStandIn(): HTMLElement {
  const frame = document.createElement('div')
  frame.dataset.standIn = ''
  frame.style.cssText = 'block-size:100%;background:#242424;color:#fff;display:grid;place-items:center'
  frame.textContent = 'Zoom'
  return frame
}
