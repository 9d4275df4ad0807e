import { EventEmitter } from 'eventemitter3'
import { SEAT_COMMAND_MS, type SeenAttendee } from '../../shared/seat.ts'
import type { HostZoomMtg } from '../zoom/zoom-mtg.ts'
import { CallQueue, type LimitedOrder } from './call-queue.ts'
import { isHeard } from './is-heard.ts'
import { PeopleList } from './people-list.ts'
import type { DriverState, IsWanted, MuteOptions, SeatEvents, Settlement } from './seat-driver.ts'
import { type LimitedCall, ZOOM_INTERVAL_MS } from './zoom-limits.ts'

const PROOF_MS = 5_000
/** Whoever is still heard by then is muted one by one. */
const MUTE_ALL_PROOF_MS = 2_000

/** Sends Zoom what the seat does to people, no faster than Zoom allows, and proves each by the list of people. */
export abstract class SeatOrders extends EventEmitter<SeatEvents> {
  abstract state: DriverState
  readonly list = new PeopleList()
  protected zoom: HostZoomMtg | null = null
  protected isIn = false
  protected isOver = false
  protected readonly queues: Record<LimitedCall, CallQueue>

  constructor() {
    super()
    const queue = (call: LimitedCall) => new CallQueue(ZOOM_INTERVAL_MS[call], () => void this.refresh())
    this.queues = {
      mute: queue('mute'),
      muteAll: queue('muteAll'),
      expel: queue('expel'),
      putOnHold: queue('putOnHold'),
      admitAll: queue('admitAll'),
      lowerHand: queue('lowerHand'),
      lowerAllHands: queue('lowerAllHands'),
      reclaimHost: queue('reclaimHost'),
    }
  }

  /** Reads the whole list of people. */
  protected abstract refresh(): Promise<void>

  people(): readonly SeenAttendee[] {
    return this.list.all
  }

  person(id: number): SeenAttendee | undefined {
    return this.list.get(id)
  }

  advance(): void {
    for (const queue of Object.values(this.queues)) queue.check()
  }

  muteStage(id: number): 'waiting' | 'sent' | null {
    const { mute, muteAll } = this.queues
    return muteAll.stage('all', 'mute') === 'sent' ? 'sent' : mute.stage(id, 'mute')
  }

  mute(id: number, { urgency = 'command', isWanted = () => true }: MuteOptions = {}): Promise<Settlement> {
    return this.#order('mute', id, {
      ...{ wish: 'mute', urgency, isWanted },
      ...(urgency !== 'command' && { waitMs: Number.POSITIVE_INFINITY }),
      call: (zoom, callbacks) => zoom.mute({ userId: id, mute: true, ...callbacks }),
      isDone: ({ muted, audio }) => muted === true || audio === '',
    })
  }

  ask(id: number, isWanted: IsWanted): Promise<Settlement> {
    return this.#order('mute', id, {
      wish: 'ask',
      isWanted,
      isDoneWhenSent: true,
      call: (zoom, callbacks) => zoom.mute({ userId: id, mute: false, ...callbacks }),
      isDone: ({ muted, audio }) => muted === false && audio !== '',
    })
  }

  muteAll(isWanted: IsWanted): Promise<Settlement> {
    return this.#orderForAll('muteAll', {
      wish: 'mute',
      isWanted,
      proofMs: MUTE_ALL_PROOF_MS,
      call: (zoom, callbacks) => zoom.muteAll({ muteAll: true, ...callbacks }),
      concerns: isMutedByMuteAll,
    })
  }

  /** Done when sent, as people may not want to: the list of people cannot show that they were asked. */
  askAll(isWanted: IsWanted): Promise<Settlement> {
    return this.#orderForAll('muteAll', {
      wish: 'ask',
      isWanted,
      isDoneWhenSent: true,
      call: (zoom, callbacks) => zoom.muteAll({ muteAll: false, ...callbacks }),
      concerns: ({ muted, audio, is_hold, is_self }) => muted === true && audio !== '' && !is_hold && !is_self,
    })
  }

  remove(id: number, isWanted: IsWanted): Promise<Settlement> {
    return this.#order('expel', id, {
      wish: 'remove',
      isWanted,
      call: (zoom, callbacks) => zoom.expel({ userId: id, ...callbacks }),
      isDone: () => false,
      whenGone: 'done',
    })
  }

  hold(id: number, isWanted: IsWanted): Promise<Settlement> {
    return this.#order('putOnHold', id, {
      wish: 'hold',
      isWanted,
      call: (zoom, callbacks) => zoom.putOnHold({ userId: id, hold: true, ...callbacks }),
      isDone: ({ is_hold }) => is_hold,
    })
  }

  admit(id: number, isWanted: IsWanted): Promise<Settlement> {
    return this.#order('putOnHold', id, {
      wish: 'admit',
      isWanted,
      call: (zoom, callbacks) => zoom.putOnHold({ userId: id, hold: false, ...callbacks }),
      isDone: ({ is_hold }) => !is_hold,
    })
  }

  admitAll(isWanted: IsWanted): Promise<Settlement> {
    return this.#orderForAll('admitAll', {
      wish: 'admit',
      isWanted,
      call: (zoom, callbacks) => zoom.admitAll(callbacks),
      concerns: ({ is_hold }) => is_hold,
    })
  }

  lowerHand(id: number, isWanted: IsWanted): Promise<Settlement> {
    return this.#order('lowerHand', id, {
      wish: 'lower',
      isWanted,
      call: (zoom, callbacks) => zoom.lowerHand({ userId: id, ...callbacks }),
      isDone: ({ hand }) => !hand,
    })
  }

  lowerAllHands(isWanted: IsWanted): Promise<Settlement> {
    return this.#orderForAll('lowerAllHands', {
      wish: 'lower',
      isWanted,
      call: (zoom, callbacks) => zoom.lowerAllHands(callbacks),
      concerns: ({ hand }) => hand,
    })
  }

  reclaimHost(): Promise<Settlement> {
    return this.#add('reclaimHost', {
      ...{ subject: 'all', wish: 'host' },
      call: (zoom, callbacks) => zoom.reclaimHost(callbacks),
      result: () => (this.state.powers === 'host' ? { outcome: 'done' } : null),
    })
  }

  #order(name: LimitedCall, id: number, { isDone, whenGone = 'gone', ...order }: PersonOrder): Promise<Settlement> {
    return this.#add(name, {
      ...order,
      subject: id,
      result: () => {
        const person = this.list.get(id)
        if (!person) return { outcome: whenGone }
        return isDone(person) ? { outcome: 'done' } : null
      },
    })
  }

  /** Done once none of those whom the call concerned when it was sent is as before. */
  #orderForAll(name: LimitedCall, { concerns, ...order }: GroupOrder): Promise<Settlement> {
    const concerned = () =>
      this.people()
        .filter(concerns)
        .map(({ zoom_user_id }) => zoom_user_id)
    let left: number[] | null = null
    return this.#add(name, {
      ...order,
      subject: 'all',
      onSent: () => {
        left ??= concerned()
      },
      result: () => {
        const now = new Set(concerned())
        if (left) left = left.filter((id) => now.has(id))
        return (left ?? [...now]).length === 0 ? { outcome: 'done' } : null
      },
    })
  }

  #add(name: LimitedCall, { call, ...order }: PartialOrder): Promise<Settlement> {
    const isOwn = order.subject === this.list.self?.zoom_user_id
    const isPowerless = this.state.powers === 'none' && name !== 'reclaimHost' && !isOwn
    if (this.isOver || !this.isIn || isPowerless) return Promise.resolve({ outcome: 'refused' })
    return this.queues[name].add({
      ...{ urgency: 'command', isWanted: () => true, proofMs: PROOF_MS, waitMs: SEAT_COMMAND_MS },
      ...order,
      call: (callbacks) => this.zoom && call(this.zoom, callbacks),
    })
  }
}

type Callbacks = Parameters<LimitedOrder['call']>[0]
type PartialOrder = Pick<LimitedOrder, 'subject' | 'wish' | 'result'> &
  Partial<Omit<LimitedOrder, 'call'>> & { call: (zoom: HostZoomMtg, callbacks: Callbacks) => unknown }
type PersonOrder = Omit<PartialOrder, 'subject' | 'result'> & {
  isDone: (person: SeenAttendee) => boolean
  whenGone?: 'gone' | 'done'
}
type GroupOrder = Omit<PartialOrder, 'subject' | 'result'> & { concerns: (person: SeenAttendee) => boolean }

/** Zoom mutes everybody but the caller. Whether it mutes hosts is not certain, so they prove nothing. */
const isMutedByMuteAll = (person: SeenAttendee) => isHeard(person) && !person.is_host && !person.is_co_host
