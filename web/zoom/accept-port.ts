interface Handshake {
  /** The origin of the page that holds the frame. */
  origin: string
  /** The message that announces the frame. */
  ready: string
  /** The message that comes with the port. */
  offer: string
}

/** Accepts one port, only from the page that holds the frame, and only while that page has the expected origin. */
export function acceptPort({ origin, ready, offer }: Handshake, use: (port: MessagePort) => void) {
  const waiting = new AbortController()
  const receive = ({ origin: sender, source, data, ports: [port] }: MessageEvent) => {
    if (sender !== origin || source !== window.parent || data !== offer || !port) return
    waiting.abort()
    use(port)
  }
  window.addEventListener('message', receive, { signal: waiting.signal })
  window.parent.postMessage(ready, origin)
}
