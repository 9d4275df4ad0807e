import { test as online } from '../online-room.ts'
import { addZoomHost } from '../zoom-host.ts'

export type Role = 'button' | 'dialog' | 'heading' | 'link'

/** A window of a browser other than Chromium, with the few actions that the drivers of all engines support. */
export interface EngineWindow {
  open(url: string): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Waits until this many elements have the role and name. */
  expectCount(role: Role, name: string, count: number): Promise<void>
  expectText(text: string): Promise<void>
  click(role: Role, name: string): Promise<void>
  /** Types with the keyboard into an empty field. */
  type(label: string, text: string): Promise<void>
  press(key: 'Enter' | 'Escape'): Promise<void>
  /** Runs the function in the page and returns its result. It must be self-contained. */
  read(script: () => unknown): Promise<unknown>
  /** Returns the errors, warnings and policy violations that the pages have reported so far. */
  reports(): Promise<string[]>
  close(): Promise<void>
}

interface EngineFixtures {
  browserWindow: EngineWindow
}

/** Provides a room whose host is connected to Zoom, and a window of the engine. */
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
