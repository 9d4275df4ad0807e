import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Http2Client } from '../../servers/http2-client.ts'
import { startProxy } from '../../servers/proxy.ts'
import { readDeployFile } from './files.ts'

const Port = z.object({ port: z.number() })
const backend = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1')
await once(backend, 'listening')
const { port } = Port.parse(backend.address())
afterAll(() => backend.close())

test('nginx refuses what one address sends too fast, with a status that consoles understand', async () => {
  const slow = (file: string) => file.replace('rate=1000r/s', 'rate=1r/m').replace('burst=2000', 'burst=2')
  const proxy = await startProxy('nginx', [port], slow)
  const visitor = await Http2Client.connect(proxy, 'localhost')
  const statuses = []
  for (let call = 0; call < 4; call++) statuses.push((await visitor.call('GET', '/healthz')).status)
  visitor.close()
  await proxy.stop()
  expect(statuses).toEqual([200, 200, 200, 429])
})

test.each([
  ['nginx', 'client_header_timeout 10s', 'client_header_timeout 1s'],
  ['caddy', 'read_header 10s', 'read_header 1s'],
] as const)(
  '%s closes a connection whose request does not come',
  async (kind, limit, shorter) => {
    expect(readDeployFile(kind === 'nginx' ? 'nginx.conf' : 'Caddyfile')).toContain(limit)
    const proxy = await startProxy(kind, [port], (file) => file.replaceAll(limit, shorter))
    const socket = connect({ port: proxy.port, host: '127.0.0.1', servername: 'localhost', ca: proxy.certificate })
    await once(socket, 'secureConnect')
    socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: localhost\r\n')
    socket.resume()
    await once(socket, 'close')
    await proxy.stop()
  },
  30_000,
) // half of nginx's own limit
