/**
 * The answer of a polled list: serialised when it has changed, then the same bytes for every reader. Its version is
 * its strong ETag; the epoch makes the versions of another process another tag.
 */
export class Poll {
  readonly #epoch: string
  readonly #build: () => unknown
  #version = 0
  #body: Buffer | null = null

  constructor(epoch: string, build: () => unknown) {
    this.#epoch = epoch
    this.#build = build
  }

  changed(): void {
    this.#version++
    this.#body = null
  }

  get etag(): string {
    return `"${this.#epoch}-${this.#version}"`
  }

  get body(): Buffer {
    this.#body ??= Buffer.from(JSON.stringify(this.#build()))
    return this.#body
  }
}
