import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends raw bytes; returns everything that the server sends until it closes the connection. */
export async function sendRaw(origin: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('utf8')
  let answer = ''
  socket.on('data', (part) => {
    answer += part
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}
