import { createContext, use, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { KeeperView, SeatControl } from './keeper-view.ts'
import type { SeatStore } from './seat-store.ts'
import { emptySeatView, type SeatView } from './seat-view.ts'

/** `control` is null for accounts that see the room's seat but may not take it. */
type SeatAccess = { store: SeatStore; control: SeatControl | null }

/** Null where the server has no seats. */
export const SeatContext = createContext<SeatAccess | null>(null)
export const useSeat = () => use(SeatContext)

const nothing = createStore<SeatView>()(() => emptySeatView)

/** Selects from what the room's seat sees, which is nothing where the server has no seats. */
export function useSeatView<T>(select: (view: SeatView) => T): T {
  return useStore(useSeat()?.store ?? nothing, select)
}

/** Follows the seat of this page. */
export function useKeeperView(control: SeatControl): KeeperView {
  return useSyncExternalStore(control.subscribe, () => control.view)
}
