import { findParticipant, holdParticipant, leaveMeeting } from '../life/meeting-life.ts'
import type { Zoom } from '../state/zoom.ts'
import type { Attendee } from './events.ts'
import type { Order } from './order.ts'
import type { MediaRoom } from './room.ts'

const OF_HOST_ONLY: readonly Order['do'][] = ['makeHost', 'makeCoHost', 'withdrawCoHost']

/** Carries the order out if the caller's role permits it, which is checked here whatever the caller's page does. */
export function obey(zoom: Zoom, room: MediaRoom, uuid: string, order: Order): boolean {
  const caller = room.find(uuid)
  const target = 'userId' in order ? room.attendees.find(({ userId }) => userId === order.userId) : undefined
  if (!caller || !mayOrder(room, caller, order, target)) return false
  if ('userId' in order && !target) return true // has left in the meantime
  carryOut(zoom, room, caller, order, target)
  return true
}

function mayOrder(room: MediaRoom, caller: Attendee, order: Order, target: Attendee | undefined): boolean {
  if (caller.isHold) return false
  if (order.do === 'reclaimHost') return room.isOriginal(caller.participantUUID)
  if (OF_HOST_ONLY.includes(order.do)) return caller.isHost
  const isAgainstHost = target?.isHost && (order.do === 'expel' || order.do === 'putOnHold')
  return caller.isHost || (caller.isCoHost && !isAgainstHost)
}

function carryOut(zoom: Zoom, room: MediaRoom, caller: Attendee, order: Order, target: Attendee | undefined) {
  const uuid = target?.participantUUID ?? ''
  const found = findParticipant(zoom, uuid)
  switch (order.do) {
    case 'mute':
      return order.mute ? room.impose(uuid, { muted: true }) : room.askToUnmute(uuid)
    case 'muteAll':
      if (order.mayUnmute !== undefined) room.allowUnmuting(order.mayUnmute)
      if (order.muteAll) return room.muteAll(caller.participantUUID)
      for (const { participantUUID } of others(room, caller)) room.askToUnmute(participantUUID)
      return
    case 'expel':
      return found && leaveMeeting(zoom, found.live, found.participant, 'Removed by host')
    case 'putOnHold':
      return found && holdParticipant(zoom, found.live, found.participant, order.hold)
    case 'admitAll':
      for (const { participantUUID } of room.attendees.filter(({ isHold }) => isHold)) {
        const waiting = findParticipant(zoom, participantUUID)
        if (waiting) holdParticipant(zoom, waiting.live, waiting.participant, false)
      }
      return
    case 'lowerHand':
      return room.impose(uuid, { raiseHand: false })
    case 'lowerAllHands':
      for (const { participantUUID } of room.attendees.filter(({ raiseHand }) => raiseHand))
        room.impose(participantUUID, { raiseHand: false })
      return
    case 'makeCoHost':
      return target?.isHost || room.impose(uuid, { isCoHost: true })
    case 'withdrawCoHost':
      return room.impose(uuid, { isCoHost: false })
    case 'makeHost':
      return passHost(room, uuid, { isHost: false, isCoHost: false })
    case 'reclaimHost':
      return passHost(room, caller.participantUUID, { isHost: false, isCoHost: true })
  }
}

function passHost(room: MediaRoom, uuid: string, formerHost: Pick<Attendee, 'isHost' | 'isCoHost'>) {
  const former = room.attendees.filter(({ isHost, participantUUID }) => isHost && participantUUID !== uuid)
  for (const { participantUUID } of former) room.impose(participantUUID, formerHost)
  room.impose(uuid, { isHost: true, isCoHost: false })
}

const others = (room: MediaRoom, caller: Attendee) => room.attendees.filter((attendee) => attendee !== caller)
