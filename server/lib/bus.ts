/** What servers tell each other, besides the changes of rooms. */
export type BusMessage =
  | { type: 'sessions-ended'; ids: string[]; reason: string }
  | { type: 'sign-in-checked'; account: string | null; address: string; isRight: boolean; at: number }
  | { type: 'call-counted'; limit: string; key: string; at: number }
  | { type: 'tokens-taken'; limit: string; key: string; count: number; at: number }
  | { type: 'stream-opened' | 'stream-closed'; ticket: string; session_id: string; at: number }

export interface Bus {
  /** To the other servers, which get it soon, or never: nothing may depend on it alone. */
  publish(message: BusMessage): void
  /** Receives what other servers publish, and at start what they have published lately. */
  subscribe(receive: (message: BusMessage) => void): void
}

/** Of a server that is alone. */
export const silentBus: Bus = { publish: () => {}, subscribe: () => {} }
