import type { RoomEvent } from '../../../shared/room-events.ts'
import type { RoomUser } from '../../../shared/room-users.ts'
import { Announcer } from './announcer.ts'
import { EventLog } from './event-log.ts'
import type { FanOut } from './fan-out.ts'
import { nextUserId } from './next-user-id.ts'
import { newParticipant, type Participant, type RosterEntry, roomUserOf } from './participant.ts'
import type { RoomChange, SharedRoom } from './room-change.ts'
import type { Follower } from './room-engine.ts'
import { RoomState } from './room-state.ts'
import { PolledList } from './snapshot.ts'
import { stateEvents, stateEventsForPhone } from './state-events.ts'

/** What the database says of a room when it is loaded. */
export interface RoomFacts {
  id: string
  meetingId: string | null // null without Zoom
  hostMuteAll: boolean
  inMeeting: ReadonlySet<string> // ids of those who are in Zoom's meeting itself
  roster: RosterEntry[]
  host: RosterEntry // the host's own phone
}

export interface CopyNeeds {
  fanOut: FanOut
  /** A room user came online or went offline, by what this node was told. */
  onMove: (roomId: string, user: RosterEntry, isOnline: boolean) => void
}

/** This node's copy of a room: its state, who here is told of it, and its lists as they are polled. */
export class RoomCopy implements Follower {
  readonly state: RoomState
  readonly announcer: Announcer
  readonly users: PolledList
  readonly online: PolledList
  /** Who left by what this node was told, until somebody has written it down. */
  readonly left: RosterEntry[] = []
  readonly #log: EventLog
  readonly #onMove: CopyNeeds['onMove']

  constructor(begin: SharedRoom, { fanOut, onMove }: CopyNeeds) {
    this.#onMove = onMove
    this.#log = new EventLog(begin.epoch, begin.seq)
    this.announcer = new Announcer(this.#log, fanOut)
    this.state = new RoomState(this.announcer, begin)
    const version = () => this.state.version
    this.users = new PolledList(begin.epoch, version, () => {
      const users = this.state.users()
      const next_user_id = nextUserId(users.map(({ roster }) => roster))
      return { success: true, data: { users: this.#wire(users), next_user_id } }
    })
    this.online = new PolledList(begin.epoch, version, () => {
      const users = this.state.users().filter((user) => user.is_online)
      return { success: true, data: { users: this.#wire(users) }, host_mute_all_active: this.state.hostMuteAll }
    })
  }

  apply(change: RoomChange, isOwn: boolean): void {
    const { arrived, left } = this.state.apply(change)
    if (!isOwn) return
    this.left.push(...left)
    for (const user of arrived) this.#onMove(this.state.id, user, true)
    for (const user of left) this.#onMove(this.state.id, user, false)
  }

  share(): SharedRoom {
    const { id, version, hostMuteAll, meetingId, participants } = this.state
    const { epoch, seq } = this.#log
    return structuredClone({
      id,
      epoch,
      seq,
      version,
      hostMuteAll,
      meetingId,
      participants: [...participants.values()],
    })
  }

  /** What a listener that has just come is told. */
  eventsFor(userId: string | null): RoomEvent[] {
    const { state } = this
    if (userId !== null) return stateEventsForPhone(state, state.participants.get(userId))
    return stateEvents(
      state,
      state.users().filter((user) => user.is_online),
    )
  }

  #wire(participants: readonly Participant[]): RoomUser[] {
    return participants.map((participant) => roomUserOf(participant, this.state.meetingId !== null))
  }
}

/** A room as it begins: nobody is online, and no event has been said. */
export function beginRoom(facts: RoomFacts, epoch: string): SharedRoom {
  const { id, meetingId, hostMuteAll, inMeeting, roster, host } = facts
  const participants = [...roster.map((entry) => newParticipant(entry)), newParticipant(host, true)]
  for (const participant of participants) participant.in_meeting = inMeeting.has(participant.roster.id)
  return { id, epoch, seq: 0, version: 0, hostMuteAll, meetingId, participants }
}
