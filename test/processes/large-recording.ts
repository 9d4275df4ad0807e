import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../servers/free-port.ts'
import { dataFolder, http, startServerProcess } from '../servers/server-process.ts'
import { connectHost, startZoomFor } from '../zoom/zoom-over-http.ts'

const MIB = 1024 ** 2
const ANA = { username: 'ana', email: 'ana@example.com', password: 'correct horse', recording_enabled: false }

/** Starts a real server process with a recording of this size at its Zoom: `opening.m4a` repeated. */
export async function serveLargeRecording(size: number) {
  const folder = await dataFolder()
  const zoom = await startZoomFor(await freePort())
  const server = await startServerProcess({ ...zoom.env, DATA_DIR: folder.path })
  const { token } = await connectHost(server, zoom, ANA)
  const recording = { email: ANA.email, start_time: new Date().toISOString(), duration_minutes: 600, notify: false }
  await zoom.control('/recordings', { ...recording, audio: 'opening.m4a', size_bytes: size })
  const { data } = (await http(server, 'GET', '/recordings?fetch_live=true', { token })).body
  const url = `http://127.0.0.1:${server.port}${data.recordings[0].file_data.play_url}`

  const open = (headers: Record<string, string> = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => get(url, { headers }, resolve).on('error', reject))

  async function memory(): Promise<number> {
    const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
  }

  return {
    open,
    /** Reads all of it, initially at about 1 MB/s for `slowSeconds`; returns the growth of the server's memory. */
    async growthWhileRead(slowSeconds: number): Promise<{ read: number; growth: number }> {
      for await (const _chunk of await open()); // the first read lets the server's heap reach its working size
      const before = await memory()
      let most = before
      let read = 0
      for await (const chunk of await open()) {
        const isSlow = read < slowSeconds * MIB
        read += chunk.length
        if (isSlow) await pause((chunk.length / MIB) * 1000)
        if (isSlow || read % MIB < chunk.length) most = Math.max(most, await memory())
      }
      return { read, growth: most - before }
    },
    async close() {
      await server.kill('SIGKILL')
      await zoom.close()
      await folder.remove()
    },
  }
}
