import { freePort } from '../test/servers/free-port.ts'
import { dataFolder, type ServerProcess, startServerProcess } from '../test/servers/server-process.ts'
import { connectHost, type ExternalZoom, startZoomFor } from '../test/zoom/zoom-over-http.ts'

const ANA = { username: 'ana', email: 'ana@example.com', password: 'correct horse', subscription_type: 12 }
export const WEBHOOK_SECRET = 'the-webhook-secret'

interface ConnectedRoom {
  server: ServerProcess
  zoom: ExternalZoom
  token: string
  meetingId: string
}

/** Starts a server with the Zoom emulator, and one connected host. */
export async function withConnectedRoom<T>(measure: (room: ConnectedRoom) => Promise<T>): Promise<T> {
  const folder = await dataFolder()
  const zoom = await startZoomFor(await freePort())
  const server = await startServerProcess({
    ...zoom.env,
    DATA_DIR: folder.path,
    ZOOM_WEBHOOK_SECRET: WEBHOOK_SECRET,
  })
  try {
    const host = await connectHost(server, zoom, ANA)
    return await measure({ server, zoom, token: host.token, meetingId: host.rooms[0].zoom_meeting_id })
  } finally {
    await server.kill('SIGTERM')
    await zoom.close()
    await folder.remove()
  }
}
