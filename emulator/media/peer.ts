import { isIPv6 } from 'node:net'
import type { OpusFrame } from './voice-track.ts'
import { VoiceTrack } from './voice-track.ts'

/** The most voices that a listener hears at the same time. */
const VOICES = 4

type PeerOptions = {
  /** The emulator's listening address; the sound uses the same address family. */
  bind: string
  now: () => number
  onFrame: (frame: OpusFrame) => void
}

/** A page's audio connection: its microphone on the first line, and the voices it hears on the others. */
export type Peer = {
  answer: string
  voices: VoiceTrack[]
  /** The time of the page's last sign of life; browsers send one every few seconds. */
  lastPacketAt: () => number
  close: () => Promise<void>
}

/** Accepts an offer with all its candidates, and returns an answer with all of its own. */
export async function connectPeer(offer: string, { bind, now, onFrame }: PeerOptions): Promise<Peer> {
  const werift = await import('werift') // lazy, since most runs of the emulator have no sound
  const { RTP_EXTENSION_URI, RtpHeader, RtpPacket } = werift
  const opus = new werift.RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })
  const extensions = [RTP_EXTENSION_URI.sdesMid, RTP_EXTENSION_URI.audioLevelIndication]
  const useIpv4 = !isIPv6(bind) || bind === '::'
  let lastPacketAt = now()
  const alive = () => {
    lastPacketAt = now()
    return true
  }
  const connection = new werift.RTCPeerConnection({
    codecs: { audio: [opus] },
    headerExtensions: { audio: extensions.map((uri) => new werift.RTCRtpHeaderExtensionParameters({ uri })) },
    iceServers: [],
    iceUseIpv4: useIpv4,
    iceUseIpv6: isIPv6(bind),
    iceAdditionalHostAddresses: [...(useIpv4 ? ['127.0.0.1'] : []), ...(isIPv6(bind) ? ['::1'] : [])],
    iceFilterStunResponse: alive,
  })
  connection.onTrack.subscribe((track) => {
    track.onReceiveRtp.subscribe(({ header, payload }, extensions) => {
      lastPacketAt = now()
      const level = levelOf(extensions?.[RTP_EXTENSION_URI.audioLevelIndication])
      onFrame({ payload, sequence: header.sequenceNumber, timestamp: header.timestamp, level })
    })
  })

  await connection.setRemoteDescription({ type: 'offer', sdp: withoutCandidates(offer) })
  const [microphone, ...lines] = connection.getTransceivers()
  microphone?.setDirection('recvonly')
  const voices = lines.slice(0, VOICES).map((line) => {
    line.setDirection('sendonly')
    return new VoiceTrack(({ payload, sequence, timestamp, marker }) => {
      const header = new RtpHeader({ sequenceNumber: sequence, timestamp, marker, payloadType: 0 })
      void line.sender.sendRtp(new RtpPacket(header, payload)).catch(() => {}) // the connection has just closed
    }, now)
  })
  await connection.setLocalDescription(await connection.createAnswer())
  return {
    answer: connection.localDescription?.sdp ?? '',
    voices,
    lastPacketAt: () => lastPacketAt,
    close: () => connection.close(),
  }
}

/** Pages connect to us, so their candidates are not needed; some contain names that only the browser can resolve. */
const withoutCandidates = (sdp: string) => sdp.replace(/^a=(candidate|end-of-candidates).*\r?\n/gm, '')

function levelOf(extension: unknown): number | null {
  const hasLevel = typeof extension === 'object' && extension !== null && 'level' in extension
  return hasLevel && typeof extension.level === 'number' ? extension.level : null
}
