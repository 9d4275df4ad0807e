import { expect, test, vi } from 'vitest'

test('shows the scheme that is painted until the system announces another', async () => {
  const system = Object.assign(new EventTarget(), { matches: false })
  const painted: string[] = []
  vi.stubGlobal('matchMedia', () => system)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', {
    documentElement: { setAttribute: (_name: string, scheme: string) => painted.push(scheme) },
  })
  vi.resetModules()
  const { currentScheme, startColorScheme } = await import('./color-scheme.ts')
  startColorScheme()
  system.matches = true
  expect([currentScheme(), painted]).toEqual(['light', ['light']])
  system.dispatchEvent(Object.assign(new Event('change'), { matches: true }))
  expect([currentScheme(), painted]).toEqual(['dark', ['light', 'dark']])
})
