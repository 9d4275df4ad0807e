import { startEmulator } from './app.ts'
import { readConfig } from './config.ts'

try {
  const config = readConfig(process.env)
  const emulator = await startEmulator(config).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(
      `ZOOM_EMULATOR_PORT is ${config.port}, but another program listens on ${config.bind}:${config.port}.`,
    )
  })

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await emulator.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop) // the parent process has exited

  process.stdout.write(`Demo Zoom is at ${emulator.origin}\n`)
  const { origin, oauthUrl: oauth_url, apiUrl: api_url } = emulator
  process.send?.({ type: 'listening', origin, oauth_url, api_url })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
