import type { LeaveReason, LiveMeeting } from '../state/memory.ts'
import type { ZoomBehaviour } from '../state/options.ts'
import type { ZoomParticipant } from '../state/state.ts'
import type { Attendee, SdkEvent, SdkRecordingState } from './events.ts'
import { Relay } from './relay.ts'

type Send = (event: SdkEvent) => void
/** A page, and whom it has been told of. */
type Page = { send: Send; shown: Set<string> }

const SPEAKERS_MAX = 3

/** The participants of one meeting, their roles, mute and audio state, and the pages that follow it. */
export class MediaRoom {
  readonly relay: Relay
  readonly #attendees = new Map<string, Attendee>()
  readonly #pages = new Map<string, Page>()
  readonly #originals = new Set<string>() // devices of the host whose meeting it is
  readonly #asked = new Set<string>() // may unmute once, even where that is forbidden
  readonly #recording: () => SdkRecordingState
  readonly #speakersNeedAudio: () => boolean
  #mayUnmute = true
  #mutesUponEntry = false

  constructor(now: () => number, recording: () => SdkRecordingState, speakersNeedAudio: () => boolean = () => false) {
    this.#recording = recording
    this.#speakersNeedAudio = speakersNeedAudio
    this.relay = new Relay({
      now,
      onSpeakers: (ids) => this.#publishSpeakers(ids),
      mayHear: (id) => this.#attendees.get(id)?.isHold !== true,
    })
  }

  get attendees(): Attendee[] {
    return [...this.#attendees.values()]
  }

  find(uuid: string): Attendee | undefined {
    return this.#attendees.get(uuid)
  }

  isOriginal(uuid: string): boolean {
    return this.#originals.has(uuid)
  }

  /** The host takes the meeting back from whoever has replaced the host; the host's second device is a co-host. */
  add({ account, meeting }: LiveMeeting, participant: ZoomParticipant) {
    const uuid = participant.participant_uuid
    const isOriginal = participant.participant_user_id === account.id
    const present = this.attendees.find(({ isHost }) => isHost)
    const isHost = isOriginal && !(present && this.isOriginal(present.participantUUID))
    const mutes = meeting.settings.mute_upon_entry === true || this.#mutesUponEntry
    if (isOriginal) this.#originals.add(uuid)
    if (isHost && present) this.impose(present.participantUUID, { isHost: false, isCoHost: true })
    const attendee: Attendee = {
      userId: Number(participant.user_id),
      userName: participant.user_name,
      muted: !isOriginal && mutes,
      audio: '',
      isHost,
      isCoHost: isOriginal && !isHost,
      isGuest: participant.participant_user_id === '',
      isHold: participant.on_hold,
      raiseHand: false,
      participantUUID: uuid,
      customerKey: participant.customer_key,
    }
    this.#attendees.set(uuid, attendee)
    this.#publish(attendee)
  }

  /** Sends the reason to the participant who leaves, and a leave event to the others. A host who leaves is replaced. */
  remove(uuid: string, reasonCode: LeaveReason, hostLeft: ZoomBehaviour['host_left']) {
    const attendee = this.#attendees.get(uuid)
    if (!attendee) return
    this.#attendees.delete(uuid)
    this.#originals.delete(uuid)
    this.#asked.delete(uuid)
    this.relay.silence(uuid)
    this.relay.removeListener(uuid)
    this.#pages.get(uuid)?.send({ type: 'ended', reasonCode })
    this.#pages.delete(uuid)
    for (const { send, shown } of this.#pages.values()) if (shown.delete(uuid)) send({ type: 'left', attendee })
    if (attendee.isHost) this.#replaceHost(hostLeft)
  }

  end(reasonCode: LeaveReason) {
    this.relay.close()
    this.tell({ type: 'ended', reasonCode })
    this.#pages.clear()
    this.#attendees.clear()
  }

  /** Muting takes effect here at once: late packets are dropped. */
  update(uuid: string, change: Partial<Attendee>) {
    const attendee = this.#attendees.get(uuid)
    if (!attendee) return
    Object.assign(attendee, change)
    if (change.muted !== undefined) this.#asked.delete(uuid)
    if (attendee.muted || attendee.audio === '' || attendee.isHold) this.relay.silence(uuid)
    this.#publish(attendee)
    this.#refresh(uuid)
  }

  /** Changes a participant on somebody else's order, which the participant's own page then carries out too. */
  impose(uuid: string, change: Partial<Attendee>) {
    this.update(uuid, change)
    this.#pages.get(uuid)?.send({ type: 'imposed', change })
  }

  mayUnmute(uuid: string): boolean {
    const attendee = this.#attendees.get(uuid)
    if (!attendee) return false
    return this.#mayUnmute || attendee.isHost || attendee.isCoHost || !attendee.muted || this.#asked.has(uuid)
  }

  askToUnmute(uuid: string) {
    if (!this.#attendees.get(uuid)?.muted) return
    this.#asked.add(uuid)
    this.#pages.get(uuid)?.send({ type: 'asked' })
  }

  /** Mutes everybody but the host or co-host who orders it, and whoever comes later. */
  muteAll(byUuid: string) {
    this.#mutesUponEntry = true
    for (const { participantUUID, muted } of this.attendees)
      if (participantUUID !== byUuid && !muted) this.impose(participantUUID, { muted: true })
  }

  allowUnmuting(isAllowed: boolean) {
    this.#mayUnmute = isAllowed
    this.tell({ type: 'unmuting', isAllowed })
  }

  openStream(uuid: string, send: Send) {
    const attendees = this.attendees.filter((attendee) => this.#sees(uuid, attendee))
    this.#pages.set(uuid, { send, shown: new Set(attendees.map(({ participantUUID }) => participantUUID)) })
    const isOriginhost = this.isOriginal(uuid)
    send({ type: 'state', attendees, recording: this.#recording(), isOriginhost, mayUnmute: this.#mayUnmute })
  }

  hasStream(uuid: string) {
    return this.#pages.has(uuid)
  }

  /** Keeps a newer stream of the same page. */
  closeStream(uuid: string, send: Send) {
    if (this.#pages.get(uuid)?.send === send) this.#pages.delete(uuid)
  }

  tell(event: SdkEvent) {
    for (const { send } of this.#pages.values()) send(event)
  }

  /** Tells each page of a participant who came, changed, or went out of its sight. */
  #publish(attendee: Attendee) {
    for (const uuid of this.#pages.keys()) this.#show(uuid, attendee)
  }

  #show(uuid: string, attendee: Attendee) {
    const page = this.#pages.get(uuid)
    if (!page) return
    const wasShown = page.shown.has(attendee.participantUUID)
    const isShown = this.#sees(uuid, attendee)
    if (!isShown && !wasShown) return
    if (isShown) page.shown.add(attendee.participantUUID)
    else page.shown.delete(attendee.participantUUID)
    page.send({ type: isShown ? (wasShown ? 'updated' : 'joined') : 'left', attendee })
  }

  /** Tells a page whom it now sees, or sees no longer, by its own participant's change. */
  #refresh(uuid: string) {
    const page = this.#pages.get(uuid)
    if (!page) return
    for (const attendee of this.attendees)
      if (page.shown.has(attendee.participantUUID) !== this.#sees(uuid, attendee)) this.#show(uuid, attendee)
  }

  /** Only hosts see who waits, and who waits sees nobody. */
  #sees(uuid: string, attendee: Attendee): boolean {
    if (attendee.participantUUID === uuid) return true
    const viewer = this.#attendees.get(uuid)
    if (!viewer || viewer.isHold) return false
    return !attendee.isHold || viewer.isHost || viewer.isCoHost
  }

  #replaceHost(hostLeft: ZoomBehaviour['host_left']) {
    const present = this.attendees.filter(({ isHold }) => !isHold)
    const coHost = present.find(({ isCoHost }) => isCoHost)
    const heir = hostLeft === 'cohost' ? coHost : hostLeft === 'guest' ? (coHost ?? present[0]) : undefined
    if (heir && !present.some(({ isHost }) => isHost))
      this.impose(heir.participantUUID, { isHost: true, isCoHost: false })
  }

  #publishSpeakers(ids: string[]) {
    const speakers = ids.slice(0, SPEAKERS_MAX).flatMap((id) => {
      const { userId, userName } = this.#attendees.get(id) ?? {}
      return userId !== undefined && userName !== undefined ? [{ userId, userName }] : []
    })
    for (const [uuid, { send }] of this.#pages) {
      const { isHold, audio } = this.#attendees.get(uuid) ?? {}
      if (!isHold && (audio !== '' || !this.#speakersNeedAudio())) send({ type: 'speakers', speakers })
    }
  }
}
