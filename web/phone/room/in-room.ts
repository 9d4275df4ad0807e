import { readStored, removeStored, store } from '../storage.ts'

/** Stored per tab, so that a reload returns to the room. */
export const markInRoom = () => store('in-room', 'yes', 'sessionStorage')
export const unmarkInRoom = () => removeStored('in-room', 'sessionStorage')
export const isInRoom = (): boolean => readStored('in-room', 'sessionStorage') !== null
