import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { NewPasskeyResponse, PasskeyResponse } from '../../shared/passkeys.ts'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

interface Place {
  rpId: string
  origin: string
  /** False for an authenticator that has not asked for a finger or a PIN. */
  isVerified?: boolean
}

const HERE: Place = { rpId: 'localhost', origin: 'http://localhost:3000' }

/** A passkey in software, which signs what a browser would, at any place. */
export class Authenticator {
  readonly id = randomBytes(32).toString('base64url')
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #counter = 0

  register({ challenge }: { challenge: string }, place = HERE): NewPasskeyResponse {
    const clientDataJSON = clientData('webauthn.create', challenge, place)
    const id = Buffer.from(this.id, 'base64url')
    const credential = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, this.#publicKey()])
    const authData = Buffer.concat([this.#authData(place, HAS_CREDENTIAL), credential])
    const attestation = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(authData)],
    ])
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  use({ challenge }: { challenge: string }, place = HERE): PasskeyResponse {
    this.#counter++
    const clientDataJSON = clientData('webauthn.get', challenge, place)
    const authData = this.#authData(place)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientDataJSON).digest()])
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      },
    }
  }

  #named() {
    return { id: this.id, rawId: this.id, type: 'public-key' as const }
  }

  #authData({ rpId, isVerified = true }: Place, flags = 0): Buffer {
    const all = flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([all]), counter])
  }

  /** Returns the key as COSE: EC2, ES256, P-256. */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return map([
      [Buffer.from([0x01]), Buffer.from([0x02])],
      [Buffer.from([0x03]), Buffer.from([0x26])],
      [Buffer.from([0x20]), Buffer.from([0x01])],
      [Buffer.from([0x21]), bytes(Buffer.from(x, 'base64url'))],
      [Buffer.from([0x22]), bytes(Buffer.from(y, 'base64url'))],
    ])
  }
}

function clientData(type: string, challenge: string, { origin }: Place): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

// CBOR, as far as it is needed.
const uint16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
const bytes = (value: Buffer) =>
  Buffer.concat([
    value.length < 256 ? Buffer.from([0x58, value.length]) : Buffer.from([0x59, ...uint16(value.length)]),
    value,
  ])
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flat()])
