import type { LeaveReason, LiveMeeting } from '../state/memory.ts'
import type { ZoomParticipant } from '../state/state.ts'
import type { Attendee, SdkEvent, SdkRecordingState } from './events.ts'
import { Relay } from './relay.ts'

type Send = (event: SdkEvent) => void

/** The participants of one meeting, their mute and audio state, and the pages that follow it. */
export class MediaRoom {
  readonly relay: Relay
  readonly #attendees = new Map<string, Attendee>()
  readonly #pages = new Map<string, Send>()
  readonly #recording: () => SdkRecordingState

  constructor(now: () => number, recording: () => SdkRecordingState) {
    this.#recording = recording
    this.relay = new Relay({ now, onSpeakers: (ids) => this.#publishSpeakers(ids) })
  }

  get attendees(): Attendee[] {
    return [...this.#attendees.values()]
  }

  find(uuid: string): Attendee | undefined {
    return this.#attendees.get(uuid)
  }

  add({ account, meeting }: LiveMeeting, participant: ZoomParticipant) {
    const isHost = participant.participant_user_id === account.id
    const attendee: Attendee = {
      userId: Number(participant.user_id),
      userName: participant.user_name,
      muted: !isHost && meeting.settings.mute_upon_entry === true,
      audio: '',
      isHost,
      isCoHost: false,
      isGuest: participant.participant_user_id === '',
      isHold: false,
      raiseHand: false,
      participantUUID: participant.participant_uuid,
      customerKey: participant.customer_key,
    }
    this.#attendees.set(participant.participant_uuid, attendee)
    this.tell({ type: 'joined', attendee })
  }

  /** Sends the reason to the participant who leaves, and a leave event to the others. */
  remove(uuid: string, reasonCode: LeaveReason) {
    const attendee = this.#attendees.get(uuid)
    if (!attendee) return
    this.#attendees.delete(uuid)
    this.relay.silence(uuid)
    this.relay.removeListener(uuid)
    this.#pages.get(uuid)?.({ type: 'ended', reasonCode })
    this.#pages.delete(uuid)
    this.tell({ type: 'left', attendee })
  }

  end(reasonCode: LeaveReason) {
    this.relay.close()
    this.tell({ type: 'ended', reasonCode })
    this.#pages.clear()
    this.#attendees.clear()
  }

  /** Muting takes effect here at once: late packets are dropped. */
  update(uuid: string, change: Partial<Pick<Attendee, 'muted' | 'audio'>>) {
    const attendee = this.#attendees.get(uuid)
    if (!attendee) return
    const changed = Object.assign(attendee, change)
    if (changed.muted || changed.audio === '') this.relay.silence(uuid)
    this.tell({ type: 'updated', attendee })
  }

  openStream(uuid: string, send: Send) {
    this.#pages.set(uuid, send)
    send({ type: 'state', attendees: this.attendees, recording: this.#recording() })
  }

  hasStream(uuid: string) {
    return this.#pages.has(uuid)
  }

  /** Keeps a newer stream of the same page. */
  closeStream(uuid: string, send: Send) {
    if (this.#pages.get(uuid) === send) this.#pages.delete(uuid)
  }

  tell(event: SdkEvent) {
    for (const send of this.#pages.values()) send(event)
  }

  #publishSpeakers(ids: string[]) {
    const speakers = ids.flatMap((id) => {
      const { userId, userName } = this.#attendees.get(id) ?? {}
      return userId !== undefined && userName !== undefined ? [{ userId, userName }] : []
    })
    this.tell({ type: 'speakers', speakers })
  }
}
