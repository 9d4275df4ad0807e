const LINES = 4
const LOST_MS = 2000

type Watcher = { onLost: () => void; onFound: () => void; onMicrophoneEnded: () => void; tone?: number }

/** The page's microphone and the voices it plays. */
export class MeetingSound {
  readonly #place: HTMLElement
  readonly #watcher: Watcher
  readonly #players: HTMLAudioElement[] = []
  #connection: RTCPeerConnection | undefined
  #microphone: MediaStreamTrack | undefined
  #isStopped = false // what comes in, on this page alone

  constructor(place: HTMLElement, watcher: Watcher) {
    this.#place = place
    this.#watcher = watcher
  }

  get hasMicrophone() {
    return this.#microphone?.readyState === 'live'
  }

  /** Reuses an open microphone: a second stream would silence the first on an iPhone. It starts muted. */
  async takeMicrophone(): Promise<boolean> {
    if (this.hasMicrophone) return true
    const { tone } = this.#watcher
    const microphone = () => navigator.mediaDevices?.getUserMedia({ audio: true }).catch(() => null)
    const stream = tone === undefined ? await microphone() : streamOfTone(tone)
    const track = stream?.getAudioTracks()[0]
    if (!track) return false
    track.enabled = false
    track.addEventListener('ended', () => {
      if (this.#microphone === track) this.#watcher.onMicrophoneEnded()
    })
    this.#microphone = track
    return true
  }

  /** Removes the track when muted, since Chromium would send silence otherwise. */
  openMicrophone(isOpen: boolean) {
    const track = this.#microphone
    if (!track) return
    track.enabled = isOpen
    void this.#sender?.replaceTrack(isOpen ? track : null).catch(() => {}) // the connection has just closed
  }

  /** Opens a new connection and closes any previous one. */
  async connect(exchange: (offer: string) => Promise<string>): Promise<void> {
    this.#connection?.close()
    const connection = new RTCPeerConnection({ iceServers: [] })
    this.#connection = connection
    const { sender } = connection.addTransceiver('audio', { direction: 'sendonly' })
    const receivers = Array.from(
      { length: LINES },
      () => connection.addTransceiver('audio', { direction: 'recvonly' }).receiver,
    )
    if (this.#microphone?.enabled) await sender.replaceTrack(this.#microphone)
    const connected = new Promise<void>((resolve, reject) => {
      connection.addEventListener('connectionstatechange', () => {
        if (this.#connection !== connection) return reject(new Error('Replaced'))
        if (connection.connectionState === 'connected') resolve()
        if (connection.connectionState === 'failed') reject(new Error('No way to the emulator'))
        this.#watch(connection)
      })
    })
    connected.catch(() => {}) // a failure of the offer itself is thrown below
    await connection.setLocalDescription()
    const sdp = await exchange(connection.localDescription?.sdp ?? '')
    await connection.setRemoteDescription({ type: 'answer', sdp })
    for (const [at, { track }] of receivers.entries()) this.#player(at).srcObject = new MediaStream([track])
    await connected
  }

  /** Rejects if the browser requires a tap first. */
  async play(): Promise<void> {
    await Promise.all(this.#players.map((player) => player.play()))
  }

  get isIncomingStopped() {
    return this.#isStopped
  }

  stopIncoming(isStopped: boolean) {
    this.#isStopped = isStopped
    for (const player of this.#players) player.muted = isStopped
  }

  disconnect() {
    const connection = this.#connection
    this.#connection = undefined
    connection?.close()
  }

  close() {
    this.disconnect()
    this.#microphone?.stop()
    this.#microphone = undefined
    for (const player of this.#players.splice(0)) {
      player.srcObject = null
      player.remove()
    }
  }

  get #sender() {
    return this.#connection?.getSenders()[0]
  }

  #watch(connection: RTCPeerConnection) {
    const { connectionState } = connection
    if (connectionState === 'connected') this.#watcher.onFound()
    if (connectionState === 'failed') this.#watcher.onLost()
    if (connectionState !== 'disconnected') return
    setTimeout(() => {
      if (this.#connection === connection && connection.connectionState === 'disconnected') this.#watcher.onLost()
    }, LOST_MS)
  }

  #player(at: number): HTMLAudioElement {
    const held = this.#players[at]
    if (held) return held
    const player = document.createElement('audio')
    player.muted = this.#isStopped
    this.#players[at] = player
    this.#place.append(player)
    return player
  }
}

/** A steady tone, by whose frequency a listener's analyser tells who is heard. */
function streamOfTone(frequency: number): MediaStream {
  const context = new AudioContext()
  const volume = new GainNode(context, { gain: 0.3 })
  const destination = context.createMediaStreamDestination()
  const oscillator = new OscillatorNode(context, { frequency })
  oscillator.connect(volume).connect(destination)
  oscillator.start()
  return destination.stream
}
