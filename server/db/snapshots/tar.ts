import { constants, mkdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const BLOCK = 512
const AT_ONCE = 256 * 1024

/** The folder's entries as a tar file, folders before what is in them. `names` are relative; a folder's end in `/`. */
export async function* packTar(folder: string, names: string[]): AsyncGenerator<Buffer> {
  for (const name of names) {
    if (name.endsWith('/')) yield header(name, 0)
    else yield* packFile(join(folder, name), name)
  }
  yield Buffer.alloc(2 * BLOCK)
}

async function* packFile(path: string, name: string): AsyncGenerator<Buffer> {
  const file = await open(path, constants.O_RDONLY)
  try {
    const { size } = await file.stat()
    yield header(name, size)
    for (let at = 0; at < size; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(AT_ONCE, size - at)), { position: at })
      if (bytesRead === 0) throw new Error(`${name} became shorter while it was read`)
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
    yield Buffer.alloc(padding(size))
  } finally {
    await file.close()
  }
}

/** Writes the files of a tar file of ours into a folder. In one go: it happens before the server serves anybody. */
export function unpackTar(tar: Buffer, folder: string): void {
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const head = tar.subarray(at, at + BLOCK)
    const name = text(head, 0, 100)
    if (name === '') return
    const path = join(folder, name)
    const size = Number.parseInt(text(head, 124, 12), 8)
    const start = at + BLOCK
    if (name.split('/').includes('..') || Number.isNaN(size)) break
    if (name.endsWith('/')) mkdirSync(path, { recursive: true, mode: 0o700 })
    else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, tar.subarray(start, start + size), { mode: 0o600 })
    }
    at = start + size + padding(size)
  }
  throw new Error('The tar file is not complete')
}

function header(name: string, size: number): Buffer {
  const isFolder = name.endsWith('/')
  const block = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) >= 100) throw new Error(`The name ${name} is too long for a tar file`)
  block.write(name, 0)
  block.write(isFolder ? '0000700\0' : '0000600\0', 100)
  block.write('0000000\0'.repeat(2), 108) // owner and group
  block.write(`${octal(size, 11)}\0${octal(0, 11)}\0`, 124) // size, time
  block.write(' '.repeat(8), 148) // the sum is taken as if its own field were blank
  block.write(isFolder ? '5' : '0', 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148)
  return block
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK
const text = (block: Buffer, at: number, length: number) =>
  block
    .subarray(at, at + length)
    .toString('latin1')
    .replace(/\0.*$/s, '')
