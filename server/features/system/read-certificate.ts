import { once } from 'node:events'
import { connect } from 'node:tls'
import { connectionTo } from './ask-site.ts'
import { codeOf } from './check.ts'

export interface SiteCertificate {
  /** The time at which it ends. */
  validTo: number
  /** Why it is not trusted; null if it is. */
  fault: string | null
}

/** Reads the certificate with which a site answers. Throws if none does. */
export async function readCertificate(url: URL, signal: AbortSignal): Promise<SiteCertificate> {
  const socket = connect({
    ...connectionTo(url),
    host: url.hostname,
    port: Number(url.port || 443),
    rejectUnauthorized: false,
  })
  try {
    await once(socket, 'secureConnect', { signal })
    return {
      validTo: Date.parse(socket.getPeerCertificate().valid_to),
      fault: socket.authorized ? null : codeOf(socket.authorizationError) || String(socket.authorizationError),
    }
  } finally {
    socket.destroy()
  }
}
