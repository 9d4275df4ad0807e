import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const zip = promisify(gzip)

/** The answer of a polled list, made anew only when the list has changed. The epoch makes another process's tags other ones. */
export class Poll {
  readonly #epoch: string
  readonly #version: () => number
  readonly #build: () => unknown
  #answer: Answer | null = null

  constructor(epoch: string, version: () => number, build: () => unknown) {
    this.#epoch = epoch
    this.#version = version
    this.#build = build
  }

  get etag(): string {
    return this.#present.etag
  }

  /** The tag of the zipped form: a strong tag names the very bytes. */
  get zippedEtag(): string {
    return this.#present.zippedEtag
  }

  get body(): Buffer {
    return this.#present.body
  }

  /** Made off the event loop. */
  zipped(): Buffer | Promise<Buffer> {
    return this.#present.zipped()
  }

  get #present(): Answer {
    const version = this.#version()
    if (this.#answer?.version !== version) this.#answer = new Answer(this.#epoch, version, this.#build)
    return this.#answer
  }
}

/** One version; its bytes are made when they are first asked for, and then serve every reader. */
class Answer {
  readonly version: number
  readonly etag: string
  readonly zippedEtag: string
  readonly #build: () => unknown
  #body: Buffer | null = null
  #zipped: Buffer | Promise<Buffer> | null = null

  constructor(epoch: string, version: number, build: () => unknown) {
    this.version = version
    this.etag = `"${epoch}-${version}"`
    this.zippedEtag = `"${epoch}-${version}-gzip"`
    this.#build = build
  }

  get body(): Buffer {
    this.#body ??= Buffer.from(JSON.stringify(this.#build()))
    return this.#body
  }

  zipped(): Buffer | Promise<Buffer> {
    this.#zipped ??= zip(this.body, { level: constants.Z_BEST_SPEED }).then((bytes) => {
      this.#zipped = bytes
      return bytes
    })
    return this.#zipped
  }
}
