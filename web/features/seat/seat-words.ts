import type { KeeperView, SeatNotice } from '../../widgets/seat/keeper-view.ts'

/** Milliseconds after which browsers slow down a hidden page. */
const HIDDEN_WARNING_MS = 4 * 60_000

type Words = { tone: 'good' | 'warn' | 'bad' | 'quiet'; title: string; hint?: string }

/** Says what the page's seat does now. */
export function seatWords(view: KeeperView, now: number): Words {
  const { phase, frame, isServerGone, hiddenSince, isSwitching, hasSound, offersSound } = view
  if (isSwitching) return { tone: 'quiet', title: hasSound ? 'Joining with sound…' : 'Joining without sound…' }
  if (phase === 'taking') return { tone: 'quiet', title: 'Taking the host’s seat…' }
  if (phase === 'leaving') return { tone: 'quiet', title: 'Leaving the host’s seat…' }
  if (phase === 'waiting') return { tone: 'bad', ...troubleWords(frame.trouble ?? 'join_failed', frame.zoom_code) }
  if (frame.trouble) return { tone: 'warn', ...troubleWords(frame.trouble, frame.zoom_code) }
  if (phase === 'joining') return { tone: 'quiet', title: 'Joining the meeting…' }
  if (phase === 'reconnecting') {
    return { tone: 'bad', title: 'The connection to Zoom is lost', hint: 'Zoom connects again by itself.' }
  }
  if (isServerGone) {
    return { tone: 'bad', title: 'Parley does not answer', hint: 'Mute All no longer holds for those in Zoom only.' }
  }
  if (frame.powers === 'none')
    return { tone: 'warn', title: 'In the meeting without powers', hint: howToGetPowers(view) }
  if (frame.sound !== 'on' && hiddenSince !== null && now - hiddenSince >= HIDDEN_WARNING_MS) {
    const hint = `Browsers slow down a tab that is hidden for long${offersSound ? ' and silent' : ''}.`
    return { tone: 'warn', title: 'Keep this tab in sight', hint }
  }
  if (frame.sound === 'ready') {
    const hint = 'Zoom asks for your microphone. The seat never sends what it hears, and stays quiet here.'
    return { tone: 'warn', title: 'Press Zoom’s own button that joins the audio', hint }
  }
  const title = frame.powers === 'host' ? 'You have the host’s seat' : 'You have the seat, as co-host'
  const hint = soundHint(view)
  return { tone: 'good', title, ...(hint !== null && { hint }) }
}

function soundHint({ frame, isDeaf, hasSound, offersSound }: KeeperView): string | null {
  if (isDeaf && offersSound && !hasSound) return 'Join the sound to see who speaks.'
  if (isDeaf) return 'Zoom does not tell this page who speaks.'
  if (!frame.can_see_speaking) return 'Zoom has not yet named anyone who speaks.'
  return frame.sound === 'on' ? 'In the sound: muted, and quiet here.' : null
}

function howToGetPowers({ way }: KeeperView): string {
  const byHand = 'In the Zoom app, choose “Make co-host” for the name that this seat has there.'
  return way === 'host' ? `${byHand} Or take over from your Zoom app.` : byHand
}

/** `admitsGuest`: the seat may join as a guest too. */
export function noticeWords(notice: SeatNotice, admitsGuest: boolean): Words {
  switch (notice.kind) {
    case 'failed':
      return { tone: 'bad', title: 'The seat could not be taken', hint: notice.message }
    case 'taken':
      return { tone: 'warn', title: `${notice.by || 'Another console'} has the host’s seat` }
    case 'taken-over':
      return { tone: 'quiet', title: 'Another console has taken over the host’s seat' }
    case 'other-tab':
      return { tone: 'warn', title: 'Another tab of this browser has the host’s seat' }
    case 'ended':
      return {
        tone: notice.reason === 'left' ? 'quiet' : 'bad',
        ...troubleWords(notice.reason, notice.zoom_code),
        ...(notice.reason === 'elsewhere' && !admitsGuest && { hint: 'Leave it there, then take the seat.' }),
      }
  }
}

const TROUBLES: Record<string, Omit<Words, 'tone'>> = {
  sdk_failed: { title: 'Zoom’s program could not be loaded' },
  sdk_too_old: {
    title: 'Zoom no longer accepts this version of its program',
    hint: 'Ask your administrator to set ZOOM_SDK_VERSION to a newer one.',
  },
  ticket_refused: { title: 'Zoom refuses your account', hint: 'Ask your administrator to connect Zoom again.' },
  other_meeting: { title: 'Another meeting of your Zoom account is running', hint: 'End it, then take the seat.' },
  elsewhere: {
    title: 'You are in this meeting with Zoom’s app',
    hint: 'Join as co-host instead: both can then stay in the meeting.',
  },
  removed: { title: 'The seat was removed from the meeting in Zoom' },
  waiting_room: { title: 'The seat is in Zoom’s waiting room', hint: 'Admit it in the Zoom app.' },
  full: { title: 'The meeting is full' },
  locked: { title: 'The meeting is locked in Zoom' },
  join_failed: { title: 'The seat could not join the meeting' },
  left: { title: 'You have left the host’s seat' },
  meeting_ended: { title: 'The meeting has ended, and the seat with it' },
}

function troubleWords(trouble: string, zoom_code: number | null): Omit<Words, 'tone'> {
  const { title, hint } = TROUBLES[trouble] ?? { title: 'The seat could not join the meeting' }
  const code = zoom_code === null || trouble === 'left' || trouble === 'meeting_ended' ? '' : ` (Zoom ${zoom_code})`
  return { title: `${title}${code}`, ...(hint !== undefined && { hint }) }
}
