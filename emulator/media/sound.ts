import { findParticipant, leaveMeeting } from '../life/meeting-life.ts'
import { LEAVE_REASON, type LeaveReason, type LiveMeeting } from '../state/memory.ts'
import type { ZoomParticipant, ZoomSitting } from '../state/state.ts'
import type { Zoom } from '../state/zoom.ts'
import type { Attendee, SdkEvent } from './events.ts'
import { connectPeer, type Peer } from './peer.ts'
import { MediaRoom } from './room.ts'
import type { OpusFrame } from './voice-track.ts'

const SWEEP_MS = 500
const now = () => Date.now() // sound follows the real clock, even when a test fakes the emulator's

/** The sound of all meetings. It follows the joins and leaves in the rest of the emulator. */
export class Sound {
  readonly #zoom: Zoom
  readonly #bind: string
  readonly #rooms = new Map<ZoomSitting, MediaRoom>()
  readonly #peers = new Map<string, Peer>()
  readonly #frames = new Map<string, number>() // packets forwarded, by participant
  /** Participants whose page must hold a stream open; the value is the time of its loss, null while it is open. */
  readonly #lostAt = new Map<string, number | null>()
  #timer: NodeJS.Timeout | undefined

  constructor(zoom: Zoom, bind: string) {
    this.#zoom = zoom
    this.#bind = bind
    zoom.meetingEvents
      .on('joined', (live, participant) => this.#roomOf(live).add(live, participant))
      .on('held', (live, { participant_uuid, on_hold }) =>
        this.#roomOf(live).impose(participant_uuid, { isHold: on_hold }),
      )
      .on('left', (live, { participant_uuid }, reason) => this.#drop(this.#roomOf(live), participant_uuid, reason))
      .on('recording', (live) => this.#roomOf(live).tell({ type: 'recording', recording: live.sitting.recording }))
      .on('ended', ({ sitting }) => this.#end(sitting, LEAVE_REASON.ended))
      .on('reset', () => this.close())
  }

  find(uuid: string): { room: MediaRoom; attendee: Attendee } | undefined {
    for (const room of this.#rooms.values()) {
      const attendee = room.find(uuid)
      if (attendee) return { room, attendee }
    }
    return undefined
  }

  /** Marks the participant as a page, which has to stay connected. */
  expectPage({ participant_uuid }: ZoomParticipant) {
    this.#lostAt.set(participant_uuid, now())
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  /** Finds the page of a host or co-host that is gone, as in a reload, and has not been given up yet. */
  findLostPage(customerKey: string | undefined): Attendee | undefined {
    if (!customerKey) return undefined
    const attendees = [...this.#rooms.values()].flatMap((room) => room.attendees)
    return attendees.find(
      (one) =>
        one.customerKey === customerKey &&
        (one.isHost || one.isCoHost) &&
        typeof this.#lostAt.get(one.participantUUID) === 'number',
    )
  }

  /** Gives a lost page's role to the page that has joined in its place. */
  replacePage({ participantUUID: lost, isHost, isCoHost }: Attendee, uuid: string) {
    const room = this.find(uuid)?.room
    if (room?.find(lost)) {
      room.impose(lost, { isHost: false, isCoHost: false })
      room.impose(uuid, { isHost, isCoHost })
    }
    this.#leave(lost)
  }

  openPage(room: MediaRoom, uuid: string, send: (event: SdkEvent) => void): () => void {
    room.openStream(uuid, send)
    if (this.#lostAt.has(uuid)) this.#lostAt.set(uuid, null)
    return () => {
      room.closeStream(uuid, send)
      if (this.#lostAt.has(uuid) && !room.hasStream(uuid)) this.#lostAt.set(uuid, now())
    }
  }

  /** Replaces the previous connection of a page that reconnects, as after a change of network. */
  async connect(room: MediaRoom, uuid: string, offer: string): Promise<string> {
    const peer = await connectPeer(offer, {
      bind: this.#bind,
      now,
      onFrame: (frame) => this.forward(room, uuid, frame),
    })
    void this.#peers.get(uuid)?.close()
    if (!room.find(uuid)) {
      await peer.close()
      throw new Error('The participant has left.')
    }
    this.#peers.set(uuid, peer)
    room.relay.addListener(uuid, peer)
    return peer.answer
  }

  forward(room: MediaRoom, uuid: string, frame: OpusFrame) {
    const attendee = room.find(uuid)
    if (!attendee || attendee.muted || attendee.audio === '' || attendee.isHold) return
    if (room.relay.forward(uuid, frame)) this.#frames.set(uuid, (this.#frames.get(uuid) ?? 0) + 1)
  }

  /** Lists all meetings' attendees. `frames` counts their forwarded packets and stays constant while they are muted. */
  list() {
    return [...this.#rooms.values()].flatMap(({ attendees }) =>
      attendees.map((attendee) => ({ ...attendee, frames: this.#frames.get(attendee.participantUUID) ?? 0 })),
    )
  }

  close() {
    for (const sitting of [...this.#rooms.keys()]) this.#end(sitting, LEAVE_REASON.other)
    for (const peer of this.#peers.values()) void peer.close()
    this.#peers.clear()
    this.#lostAt.clear()
    this.#frames.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #roomOf({ sitting }: LiveMeeting): MediaRoom {
    let room = this.#rooms.get(sitting)
    if (!room) {
      const speakersNeedAudio = () => this.#zoom.options.speakers_need_audio
      room = new MediaRoom(now, () => sitting.recording, speakersNeedAudio)
      this.#rooms.set(sitting, room)
    }
    return room
  }

  #end(sitting: ZoomSitting, reason: LeaveReason) {
    const room = this.#rooms.get(sitting)
    if (!room) return
    for (const { participantUUID } of room.attendees) this.#forget(participantUUID)
    room.end(reason)
    this.#rooms.delete(sitting)
  }

  #drop(room: MediaRoom, uuid: string, reason: LeaveReason) {
    room.remove(uuid, reason, this.#zoom.options.host_left)
    this.#forget(uuid)
  }

  #forget(uuid: string) {
    void this.#peers.get(uuid)?.close()
    this.#peers.delete(uuid)
    this.#lostAt.delete(uuid)
    this.#frames.delete(uuid)
  }

  /** Removes pages that closed, froze or lost their network a while ago. */
  #sweep() {
    const oldest = now() - this.#zoom.options.sdk_dead_ms
    for (const [uuid, lostAt] of [...this.#lostAt]) {
      const lastPacketAt = this.#peers.get(uuid)?.lastPacketAt() ?? Number.POSITIVE_INFINITY
      if ((lostAt ?? Number.POSITIVE_INFINITY) < oldest || lastPacketAt < oldest) this.#leave(uuid)
    }
    if (this.#lostAt.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #leave(uuid: string) {
    const found = findParticipant(this.#zoom, uuid)
    if (!found) return this.#forget(uuid)
    leaveMeeting(this.#zoom, found.live, found.participant, 'Network connection error')
    this.#zoom.changed()
  }
}
