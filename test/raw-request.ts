import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends bytes that no HTTP client would, and returns what the server sent until it closed the connection. */
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
