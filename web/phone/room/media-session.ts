declare global {
  interface MediaSession {
    setActionHandler(action: 'togglemicrophone' | 'hangup', handler: MediaSessionActionHandler | null): void
  }
}

type Controls = { title: string; isOn: () => boolean; toggle: () => void; hangUp: () => void }

/** Shows the meeting on the lock screen and on headsets, if the browser supports it. */
export function offerMediaControls({ title, isOn, toggle, hangUp }: Controls): {
  update: () => void
  close: () => void
} {
  const session = navigator.mediaSession
  if (!session) return { update() {}, close() {} }
  const handle = (action: 'togglemicrophone' | 'hangup', handler: (() => void) | null) => {
    try {
      session.setActionHandler(action, handler)
    } catch {
      // The browser does not support this action.
    }
  }
  session.metadata = new MediaMetadata({ title })
  handle('togglemicrophone', toggle)
  handle('hangup', hangUp)
  return {
    update: () => session.setMicrophoneActive?.(isOn()),
    close() {
      handle('togglemicrophone', null)
      handle('hangup', null)
      session.metadata = null
    },
  }
}
