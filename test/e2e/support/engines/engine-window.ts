import { test as online } from '../online-room.ts'
import { addZoomHost } from '../zoom-host.ts'

export type Role = 'button' | 'dialog' | 'heading' | 'link'

/** A window of a browser other than Chromium, with the few acts that the drivers of all engines can do. */
export interface EngineWindow {
  open(url: string): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Waits until there are so many elements of this role and name. */
  expectCount(role: Role, name: string, count: number): Promise<void>
  /** Waits until the page shows the text. */
  expectText(text: string): Promise<void>
  click(role: Role, name: string): Promise<void>
  /** Types by the keyboard into an empty field. */
  type(label: string, text: string): Promise<void>
  press(key: 'Enter' | 'Escape'): Promise<void>
  /** What the function, which uses nothing from outside itself, returns in the page. */
  read(script: () => unknown): Promise<unknown>
  /** The errors, warnings and breaches of their policy that the pages have reported so far. */
  reports(): Promise<string[]>
  close(): Promise<void>
}

interface EngineFixtures {
  browserWindow: EngineWindow
}

/** A room whose host is connected to Zoom, and a window of the engine beside it. */
export function engineTest(open: () => Promise<EngineWindow>) {
  return online.extend<EngineFixtures>({
    host: async ({ server }, use) => use(await addZoomHost(server)),
    browserWindow: async ({}, use) => {
      const browserWindow = await open()
      await use(browserWindow)
      await browserWindow.close()
    },
  })
}
