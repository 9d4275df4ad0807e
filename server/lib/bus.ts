import { z } from 'zod'

const Name = z.string().max(300)
const Timestamp = z.number().nonnegative()
/** More than a host has users. */
const Count = z.number().int().min(0).max(100_000)
/** True if it matters for longer than a minute: a server that starts reads it, however many messages came after it. */
const Lasts = z.boolean().optional()

/** Messages among servers, besides the changes of rooms. Accounts, addresses and keys are pseudonyms. */
export const BusMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sessions-ended'), ids: z.array(Name), reason: Name }),
  z.object({
    type: z.literal('sign-in-checked'),
    account: Name.nullable(),
    address: Name,
    /** The session in which the owner showed the password again, or the owner's known phone. */
    place: Name.optional(),
    /** The networks around the address. */
    networks: z.array(Name).max(5),
    isRight: z.boolean(),
    at: Timestamp,
    lasts: Lasts,
  }),
  z.object({ type: z.literal('call-counted'), limit: Name, key: Name, at: Timestamp }),
  z.object({ type: z.literal('tokens-taken'), limit: Name, key: Name, count: Count, at: Timestamp, lasts: Lasts }),
  z.object({ type: z.literal('stream-opened'), ticket: Name, session: Name, at: Timestamp }),
  z.object({ type: z.literal('stream-closed'), ticket: Name, at: Timestamp }),
])
export type BusMessage = z.output<typeof BusMessage>

export interface Bus {
  /** Sends to the other servers. A message may be lost, so nothing may depend on it alone. */
  publish(message: BusMessage): void
  /** Receives messages of other servers and, at start, their recent ones. */
  subscribe(receive: (message: BusMessage) => void): void
  /** Hides a typed name or an address: the pseudonym is the same at all servers, and unreadable to others. */
  pseudonym(name: string): string
}

/** The bus of a single server. */
export const noopBus: Bus = { publish: () => {}, subscribe: () => {}, pseudonym: (name) => name }
