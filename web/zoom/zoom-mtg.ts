/** The part of Zoom's Client View that is used here, from the Meeting SDK for Web 6. */
export type ZoomMtg = {
  setZoomJSLib(path: string, dir: string): void
  preLoadWasm(): void
  prepareWebSDK(): void
  i18n: { load(language: string): unknown; onLoad(callback: () => void): void }
  init(options: InitOptions & Callbacks): void
  join(options: JoinOptions & Callbacks): void
  getCurrentUser(callbacks: Callbacks): void
  getAttendeeslist(callbacks: Callbacks): void
  mute(options: { userId: number; mute: boolean } & Callbacks): void
  leaveMeeting(callbacks: Callbacks): void
  inMeetingServiceListener(event: ZoomMtgEventName, callback: (data: unknown) => void): void
}

/** Only a host or co-host may call these. */
export type HostZoomMtg = ZoomMtg & {
  muteAll(options: { muteAll: boolean } & Callbacks): void
  expel(options: { userId: number } & Callbacks): void
  putOnHold(options: { userId: number; hold: boolean } & Callbacks): void
  admitAll(callbacks: Callbacks): void
  lowerHand(options: { userId: number } & Callbacks): void
  lowerAllHands(callbacks: Callbacks): void
  reclaimHost(callbacks: Callbacks): void
  /** Stops or starts what this page plays of the meeting. Refused if it is so already. */
  stopIncomingAudio(options: { stop: boolean } & Callbacks): void
}

type Callbacks = { success: (answer: unknown) => void; error: (answer: unknown) => void }

export type ZoomMtgEventName =
  | 'onUserJoin'
  | 'onUserLeave'
  | 'onUserUpdate'
  | 'onUserIsInWaitingRoom'
  | 'onJoinSpeed'
  | 'onActiveSpeaker'
  | 'onMeetingStatus'
  | 'onNetworkQualityChange'
  | 'onRecordingChange'

export type InitOptions = {
  leaveUrl: string
  patchJsMedia: boolean
  leaveOnPageUnload: boolean
  disableJoinAudio?: boolean
  audioPanelAlwaysOpen?: boolean
  disablePreview: boolean
  showMeetingHeader: boolean
  disableInvite: boolean
  disableRecord: boolean
  disableReport: boolean
  disableCallOut: boolean
  disableZoomPhone: boolean
  disablePictureInPicture: boolean
  disableCORP: boolean
  isSupportChat: boolean
  isSupportCC: boolean
  isSupportPolling: boolean
  isSupportQA: boolean
  isSupportBreakout: boolean
  isSupportNonverbal: boolean
  isShowJoiningErrorDialog: boolean
  screenShare: boolean
  meetingInfo: []
}

/** Hides as much of Zoom's interface as possible. */
export const MINIMAL_INTERFACE = {
  patchJsMedia: true,
  leaveOnPageUnload: true,
  disablePreview: true,
  showMeetingHeader: false,
  disableInvite: true,
  disableRecord: true,
  disableReport: true,
  disableCallOut: true,
  disableZoomPhone: true,
  disablePictureInPicture: true,
  isSupportChat: false,
  isSupportCC: false,
  isSupportPolling: false,
  isSupportQA: false,
  isSupportBreakout: false,
  isSupportNonverbal: false,
  isShowJoiningErrorDialog: false,
  screenShare: false,
  meetingInfo: [], // would show the passcode
} satisfies Partial<InitOptions>

/** Zoom rejects keys without a value. */
type JoinOptions = {
  signature: string
  meetingNumber: string
  userName: string
  passWord: string
  customerKey: string
  obfToken?: string
  zak?: string
}

declare global {
  interface Window {
    ZoomMtg?: HostZoomMtg
  }
}
