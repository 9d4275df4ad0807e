import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'

/** A mail server on a free loopback port that takes every mail, and keeps to whom it was sent. */
export async function startAcceptingSmtp(): Promise<{ url: string; mailed: string[]; stop(): Promise<void> }> {
  const mailed: string[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 1,
    onData(stream, { envelope }, done) {
      stream.resume().once('end', () => {
        mailed.push(...envelope.rcptTo.map(({ address }) => address))
        done(null, 'OK')
      })
    },
  })
  const listening = smtp.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : address}`,
    mailed,
    stop: () => new Promise((resolve) => smtp.close(resolve)),
  }
}
