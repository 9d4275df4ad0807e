import { create } from 'zustand'
import { browserStorage } from '../../../lib/storage.ts'

const STORED = 'parley.mute-all-in-zoom'

/** The choice whether Mute All also mutes those who are in Zoom only, kept in this browser. */
export const useMuteAllInZoom = create<{ isOn: boolean }>()(() => ({ isOn: browserStorage.read(STORED) !== 'off' }))

export const isMuteAllInZoom = () => useMuteAllInZoom.getState().isOn

export function setMuteAllInZoom(isOn: boolean): void {
  browserStorage.store(STORED, isOn ? 'on' : 'off')
  useMuteAllInZoom.setState({ isOn })
}
