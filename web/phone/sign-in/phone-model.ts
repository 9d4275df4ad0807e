type Hints = { model?: string; platform?: string }
type AgentData = { getHighEntropyValues: (names: string[]) => Promise<Hints> }

const hasAgentData = (value: object): value is { userAgentData: AgentData } =>
  'userAgentData' in value && typeof value.userAgentData === 'object' && value.userAgentData !== null

/** Describes the phone for the host, to distinguish two of them: "Pixel 9, Chrome", "iPhone, Safari". */
export async function phoneModel(navigator: Navigator = window.navigator): Promise<string> {
  const { userAgent, maxTouchPoints } = navigator
  const hints = hasAgentData(navigator)
    ? await navigator.userAgentData.getHighEntropyValues(['model']).catch((): Hints => ({}))
    : {}
  const model = hints.model || modelIn(userAgent, maxTouchPoints)
  return `${model}, ${browserIn(userAgent)}`.slice(0, 128)
}

const BROWSERS = [
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\/|OPT\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

function browserIn(agent: string): string {
  return BROWSERS.find(([pattern]) => pattern.test(agent))?.[1] ?? 'Browser'
}

function modelIn(agent: string, touchPoints: number): string {
  if (/iPhone/.test(agent)) return 'iPhone'
  // An iPad claims to be a Mac, which has no touch screen.
  if (/iPad/.test(agent) || (/Macintosh/.test(agent) && touchPoints > 1)) return 'iPad'
  if (/Android/.test(agent)) return androidModel(agent)
  if (/Windows/.test(agent)) return 'Windows'
  if (/Macintosh/.test(agent)) return 'Mac'
  return /Linux|CrOS/.test(agent) ? 'Linux' : 'Phone'
}

/** Chrome sends K instead of the model. */
function androidModel(agent: string): string {
  const [, model = ''] = /Android [\d.]+; ([^;)]+?)( Build\/[^)]*)?\)/.exec(agent) ?? []
  return model === '' || model === 'K' || model === 'Mobile' ? 'Android' : model
}
