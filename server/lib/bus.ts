import { z } from 'zod'

const Name = z.string().max(300)
const At = z.number().nonnegative()
/** More than a host has users. */
const Count = z.number().int().min(0).max(100_000)

/** What servers tell each other, besides the changes of rooms. Accounts, addresses and keys are pseudonyms. */
export const BusMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sessions-ended'), ids: z.array(Name), reason: Name }),
  z.object({
    type: z.literal('sign-in-checked'),
    account: Name.nullable(),
    address: Name,
    /** Around the address. The release before does not count them. */
    networks: z.array(Name).max(5).optional(),
    isRight: z.boolean(),
    at: At,
  }),
  z.object({ type: z.literal('call-counted'), limit: Name, key: Name, at: At }),
  z.object({ type: z.literal('tokens-taken'), limit: Name, key: Name, count: Count, at: At }),
  z.object({
    type: z.literal('stream-opened'),
    ticket: Name,
    /** The release before does not count them. */
    session: Name.optional(),
    at: At,
  }),
  z.object({ type: z.literal('stream-closed'), ticket: Name, at: At }),
])
export type BusMessage = z.output<typeof BusMessage>

export interface Bus {
  /** To the other servers, which get it soon, or never: nothing may depend on it alone. */
  publish(message: BusMessage): void
  /** Receives what other servers publish, and at start what they have published lately. */
  subscribe(receive: (message: BusMessage) => void): void
  /** Stands for what was typed as a name, or an address: the same at all servers, and unreadable to others. */
  pseudonym(name: string): string
}

/** Of a server that is alone. */
export const silentBus: Bus = { publish: () => {}, subscribe: () => {}, pseudonym: (name) => name }
