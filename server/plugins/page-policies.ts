import { type Config, DEMO_CLIENT_ID } from '../config.ts'
import { isLoopback } from '../lib/loopback.ts'
import { isSeatPage, type Site, siteOrigins } from '../lib/sites.ts'

interface PagePolicy {
  /** The directives of the Content-Security-Policy. */
  directives: Record<string, string[]>
  /** The Permissions-Policy. */
  permissions: string
}

/** Defines which sources a page may load, and which device features it may use. */
export function pagePolicies(config: Config): (site: Site, url: string) => PagePolicy {
  const policies = sitePolicies(config)
  const seat = {
    directives: meetingDirectives(config, siteOrigins(config).host),
    permissions: permissions({ ...(config.HOST_SEAT_SOUND && { microphone: '(self)' }), autoplay: '(self)' }),
  }
  return (site, url) => (isSeatPage(config, site, url) ? seat : policies[site])
}

function sitePolicies(config: Config): Record<Site, PagePolicy> {
  const { phone, meeting } = siteOrigins(config)
  const consoles = { directives: CONSOLE, permissions: permissions({}) }
  const both = `(self "${meeting}")`
  const seatHolder = {
    directives: { ...CONSOLE, frameSrc: [meeting] },
    permissions: permissions(config.HOST_SEAT_SOUND ? { microphone: both, autoplay: both } : {}),
  }
  return {
    public: consoles,
    host: config.HOST_SEAT ? seatHolder : consoles,
    master: consoles,
    phone: {
      directives: phoneDirectives(meeting),
      permissions: permissions({ microphone: both, autoplay: both, 'screen-wake-lock': '(self)' }),
    },
    meeting: {
      directives: meetingDirectives(config, phone),
      permissions: permissions({ microphone: '(self)', autoplay: '(self)' }),
    },
  }
}

/** Excludes the clipboard, to which credentials are copied. */
const UNUSED = ['camera', 'microphone', 'display-capture', 'geolocation', 'payment', 'usb', 'serial', 'midi']

function permissions(used: Record<string, string>): string {
  const all = { ...Object.fromEntries(UNUSED.map((feature) => [feature, '()'])), ...used }
  return Object.entries(all)
    .map(([feature, holders]) => `${feature}=${holders}`)
    .join(', ')
}

const CONSOLE = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  mediaSrc: ["'self'"],
  connectSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

const phoneDirectives = (meeting: string) => ({
  ...CONSOLE,
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'https:'], // a host's logo may have any URL
  mediaSrc: ["'self'", 'blob:'],
  frameSrc: [meeting],
  workerSrc: ["'self'"],
})

/** Zoom documents this list of sources. WebAssembly and workers are the SDK's own needs. */
function meetingDirectives(config: Config, holder: string) {
  const sdk = sdkOrigin(config)
  const isEmulated = config.isDemoZoom || config.ZOOM_CLIENT_ID === DEMO_CLIENT_ID
  const scripts = isEmulated ? [] : ["'unsafe-inline'", "'unsafe-eval'", 'https://zoom.us', 'https://*.zoom.us']
  const calls = isEmulated
    ? sdk.map((origin) => origin.replace(/^http/, 'ws'))
    : ['https://zoom.us', 'https://*.zoom.us', 'wss://*.zoom.us']
  const files = isEmulated ? [] : ['https://*.zoom.us']
  return {
    ...CONSOLE,
    scriptSrc: ["'self'", ...sdk, "'wasm-unsafe-eval'", 'blob:', ...scripts],
    styleSrc: ["'self'", "'unsafe-inline'", ...sdk],
    imgSrc: ["'self'", 'data:', 'blob:', ...sdk, ...files],
    fontSrc: ["'self'", ...sdk, ...files],
    mediaSrc: ["'self'", 'blob:', ...sdk, ...files],
    connectSrc: ["'self'", ...sdk, ...calls],
    workerSrc: ["'self'", 'blob:'],
    frameAncestors: [holder],
  }
}

/** Omits a loopback URL unless the page is loopback too: for a visitor it would be the visitor's own machine. */
function sdkOrigin({ ZOOM_SDK_URL, PHONE_HOSTNAME }: Config): string[] {
  const { origin, hostname } = new URL(ZOOM_SDK_URL)
  return isLoopback(hostname) && !isLoopback(PHONE_HOSTNAME) ? [] : [origin]
}
