import { createStore } from 'zustand/vanilla'

type LightToast = { id: number; tone: 'good' | 'bad'; message: string }

export const lightToastStore = createStore<LightToast | null>(() => null)
let count = 0

function show(tone: LightToast['tone'], message: string) {
  lightToastStore.setState({ id: ++count, tone, message }, true)
}

/** Toasts about signing in and out, which outlive the change of page. Behind the logins use `ui/toast.tsx`. */
export const lightToast = {
  success: (message: string) => show('good', message),
  error: (message: string) => show('bad', message),
}

export function dismissLightToast() {
  lightToastStore.setState(null, true)
}
