import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from '@playwright/test'
import { z } from 'zod'
import { freePort } from '../../../servers/free-port.ts'

const Answer = z.object({ value: z.unknown() })
const Session = z.object({ sessionId: z.string() })
const Problem = z.object({ error: z.string(), message: z.string() })

export interface WebDriverSession {
  /** Sends a command of the W3C's WebDriver, such as `/url`, and returns its value. Throws on refusal. */
  post(command: string, body: object): Promise<unknown>
  end(): Promise<void>
}

/** Starts WebKitGTK's driver on a display, and opens a session with this browser and its arguments. */
export async function openWebDriverSession(
  display: string,
  browser: { binary: string; args: string[] },
): Promise<WebDriverSession> {
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, DISPLAY: display },
    stdio: 'ignore',
  })
  await once(driver, 'spawn')
  const root = `http://127.0.0.1:${port}/session`
  await expect(() => fetch(root)).toPass() // the driver does not report when it is ready
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browser } }
  const { sessionId } = Session.parse(await call('POST', root, { capabilities }))
  const session = `${root}/${sessionId}`
  return {
    post: (command, body) => call('POST', session + command, body),
    async end() {
      await call('DELETE', session)
      driver.kill()
      if (driver.exitCode === null && driver.signalCode === null) await once(driver, 'exit')
    },
  }
}

async function call(method: string, url: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, body: body && JSON.stringify(body) })
  const { value } = Answer.parse(await answer.json())
  if (answer.ok) return value
  const { error, message } = Problem.parse(value)
  throw new Error(`${error}: ${message}`)
}
