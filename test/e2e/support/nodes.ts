import { SharedServices } from '../../../demo/shared-services.ts'
import { freePort } from '../../servers/free-port.ts'
import { PROGRAM, type ServerProcess, SHORT_LIVED_FLAGS, startServerProcess } from '../../servers/server-process.ts'
import { QUICK_ARGON2 } from './test.ts'

interface Nodes {
  /** Its address is the public one, to which links lead. */
  a: ServerProcess
  b: ServerProcess
  /** The host site at the second node. */
  hostSiteOfB: string
  stop: () => Promise<void>
}

/** Starts two servers over PostgreSQL and Redis, with one stand-in for Zoom. */
export async function startNodes(): Promise<Nodes> {
  const [port, other] = [await freePort(), await freePort()]
  const services = new SharedServices(() => {})
  const env = { PATH: process.env.PATH, ZOOM_EMULATOR_PORT: '0' }
  const { settings } = await services.start(env, port)
  const flags = [...SHORT_LIVED_FLAGS, '--import', QUICK_ARGON2]
  const start = (own: number) => {
    const given = Object.entries({ ...settings, PORT: String(own) }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    return startServerProcess(Object.fromEntries(given), [], PROGRAM, flags)
  }
  const [a, b] = await Promise.all([start(port), start(other)])
  return {
    a,
    b,
    hostSiteOfB: `http://host.localhost:${other}`,
    async stop() {
      await Promise.all([a.kill('SIGKILL'), b.kill('SIGKILL')])
      await services.stop()
    },
  }
}
