import type { ReactNode } from 'react'
import type { PhoneWord } from '../../../../shared/phone-words.ts'
import { PHONE_SESSION_ENDS } from '../../../../shared/session-end.ts'
import { SoundTrouble } from '../../../../web/meeting/messages.ts'
import { EndedScreen } from '../../../../web/phone/ended/EndedScreen.tsx'
import { CannotHear } from '../../../../web/phone/help/CannotHear.tsx'
import { KeepScreenOn } from '../../../../web/phone/help/KeepScreenOn.tsx'
import { Lobby } from '../../../../web/phone/lobby/Lobby.tsx'
import { MicrophoneTest } from '../../../../web/phone/lobby/MicrophoneTest.tsx'
import { Opening } from '../../../../web/phone/Opening.tsx'
import { Recordings } from '../../../../web/phone/recordings/Recordings.tsx'
import { RoomScreen } from '../../../../web/phone/room/RoomScreen.tsx'
import { LinkScreen } from '../../../../web/phone/sign-in/LinkScreen.tsx'
import { SignInScreen } from '../../../../web/phone/sign-in/SignInScreen.tsx'
import { WaitingScreen } from '../../../../web/phone/sign-in/WaitingScreen.tsx'
import { Screen } from '../../../../web/phone/ui/Screen.tsx'
import { fakeSession } from './fake-session.ts'

const nothing = () => {}
const login = { ...fakeSession().view.login, token: 'token' }
const room = (changes: Parameters<typeof fakeSession>[0] = {}, isOld = false) => (
  <RoomScreen session={fakeSession(changes)} isOld={isOld} onLeave={nothing} onSignOut={nothing} />
)

const TO_ROOM: PhoneWord = {
  id: 'w1',
  to: 'room',
  text: 'We begin in five minutes',
  rings: true,
  asks: false,
  answer: null,
}
const ASKING: PhoneWord = { ...TO_ROOM, text: 'Can you hear me?', asks: true, answer: 'well' }
const LONG_WORD = 'Please move to a quieter place, and come closer to the microphone. '.repeat(3).slice(0, 200).trim()

const link = (tokenNow: string | null) => (
  <LinkScreen
    link={{ hostId: 'H000001', linkToken: 't' }}
    tokenNow={tokenNow}
    onSignedIn={nothing}
    onStay={nothing}
    onOther={nothing}
    onUsed={() => false}
  />
)

/** Each screen of the phone app in each of its states. */
export const SCREENS: Record<string, () => ReactNode> = {
  'sign-in': () => <SignInScreen hostId="H000001" onSignedIn={nothing} />,
  link: () => link(null),
  'link-signed-in': () => link('a token'),
  waiting: () => <WaitingScreen ticket="waiting" onApproved={nothing} onAskAgain={nothing} onCancel={nothing} />,
  refused: () => <WaitingScreen ticket="refused" onApproved={nothing} onAskAgain={nothing} onCancel={nothing} />,
  expired: () => <WaitingScreen ticket="expired" onApproved={nothing} onAskAgain={nothing} onCancel={nothing} />,
  offline: () => <Opening isOffline onTryAgain={nothing} />,
  lobby: () => <Lobby login={login} isOld={false} onJoin={nothing} onSignOut={nothing} />,
  'lobby-update': () => <Lobby login={login} isOld onJoin={nothing} onSignOut={nothing} />,
  'lobby-recordings': () => (
    <Lobby
      login={{ ...login, room: { ...login.room, shared_recordings: 2 } }}
      isOld={false}
      onJoin={nothing}
      onSignOut={nothing}
    />
  ),
  recordings: () => <Recordings token="token" wanted="r2" onBack={nothing} />,
  'recordings-gone': () => <Recordings token="token" wanted="gone" onBack={nothing} />,
  'microphone-test': () => <MicrophoneTest onBack={nothing} />,
  'cannot-hear': () => (
    <Screen title="Parley" onBack={nothing}>
      <CannotHear helpline="+44 20 7946 0958" onRejoin={nothing} />
    </Screen>
  ),
  'keep-screen-on': () => (
    <Screen title="Parley" onBack={nothing}>
      <KeepScreenOn />
    </Screen>
  ),
  'room-listening': () => room(),
  'room-heard': () =>
    room({ state: { speaker_on: true, is_speaking: true }, sound: { microphone: 'on', is_recording: true } }),
  'room-word': () => room({ state: { words: { as_of: 'e-1', list: [TO_ROOM] } } }),
  'room-words-long': () =>
    room({ state: { words: { as_of: 'e-2', list: [{ ...TO_ROOM, id: 'w2', to: 'user', text: LONG_WORD }, ASKING] } } }),
  'room-turn-over': () =>
    room({
      sound: { microphone: 'on' },
      state: { speaker_on: true },
      turn: { since: performance.now() - 80_000, limitMinutes: 1 },
    }),
  'room-muted': () => room({ state: { is_muted: true } }),
  'room-muted-all-queue': () =>
    room({ state: { is_muted: true, host_mute_all_active: true, wants_to_speak: true }, now: { queue_place: 2 } }),
  'room-joining': () => room({ sound: { audio: 'joining', people: null } }),
  'room-ready': () => room({ sound: { audio: 'ready', people: null } }),
  'room-tap-again': () => room({ sound: { audio: 'ready', people: null }, is_tap_awaited: true }),
  'room-asked': () => room({ state: { asked_to_speak: true } }),
  'room-lost': () => room({ connection: 'lost', sound: { audio: 'lost', is_weak: true } }),
  'room-unsent-hand': () => room({ connection: 'lost', unsent_hand: true }),
  'room-blocked': () => room({ sound: { audio: 'blocked' } }, true),
  'room-microphone-silenced': () => room({ sound: { microphone: 'silenced' } }),
  'room-microphone-refused': () => room({ sound: { microphone: 'refused' } }),
  ...Object.fromEntries(
    SoundTrouble.options.map((trouble) => [
      `room-${trouble}`,
      () => room({ sound: { audio: 'off', trouble, zoom_code: trouble === 'refused' ? 3712 : null }, join_url: null }),
    ]),
  ),
  ...Object.fromEntries(
    [...PHONE_SESSION_ENDS, 'signed_out' as const, 'left' as const, 'other_tab' as const].map((end) => [
      `ended-${end}`,
      () => <EndedScreen end={end} tokenNow={null} isOld={false} onGoOn={nothing} />,
    ]),
  ),
  'ended-signed-in': () => <EndedScreen end="signed_out" tokenNow="a token" isOld={false} onGoOn={nothing} />,
}
