import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { setup } from '../../test/servers/setup.ts'

const server = await setup()
const { port } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }))

async function send(calls: number) {
  const connected = once(server.app.server, 'connection')
  const client = connect(Number(port), '127.0.0.1').on('error', () => {})
  const [socket] = await connected
  client.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(calls))
  return { client, socket }
}

test('a connection has twenty calls that wait for an earlier one, as often as it likes', async () => {
  const { client, socket } = await send(21)
  let text = ''
  client.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  const answers = () => text.match(/HTTP\/1.1 200/g)?.length
  await expect.poll(answers).toBe(21)
  client.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(21))
  await expect.poll(answers).toBe(42)
  expect(socket.destroyed).toBe(false)
  client.destroy()
})

test('a connection on which more wait is ended', async () => {
  const { socket } = await send(22)
  if (!socket.destroyed) await once(socket, 'close')
})
