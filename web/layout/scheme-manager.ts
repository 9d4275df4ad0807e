import type { MantineColorSchemeManager } from '@mantine/core'
import { chooseScheme, chosenScheme, subscribeToScheme } from '../ui/color-scheme.ts'

let unsubscribe = () => {}

/** Lets Mantine follow our own choice of scheme, which the pages without Mantine know too. */
export const schemeManager: MantineColorSchemeManager = {
  get: chosenScheme,
  set: chooseScheme,
  subscribe(onUpdate) {
    unsubscribe = subscribeToScheme(() => onUpdate(chosenScheme()))
  },
  unsubscribe: () => unsubscribe(),
  clear: () => chooseScheme('auto'),
}
