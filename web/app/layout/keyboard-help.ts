import { create } from 'zustand'

export const useKeyboardHelp = create<{ isOpen: boolean }>()(() => ({ isOpen: false }))

export const openKeyboardHelp = () => useKeyboardHelp.setState({ isOpen: true })
export const closeKeyboardHelp = () => useKeyboardHelp.setState({ isOpen: false })
