import { readStored, removeStored, store } from '../storage.ts'

/** In this tab, so that a page that is loaded again leads back into the room. */
export const noteInRoom = () => store('in-room', 'yes', 'sessionStorage')
export const hasLeft = () => removeStored('in-room', 'sessionStorage')
export const isInRoom = (): boolean => readStored('in-room', 'sessionStorage') !== null
