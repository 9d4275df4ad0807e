import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Machine {
  env: Record<string, string>
  setDiskFull(isFull: boolean): Promise<void>
  shiftClock(seconds: number): Promise<void>
}

export interface Machines {
  create(name: string): Promise<Machine>
  /** The folder of their files. */
  folder: string
  remove(): Promise<void>
}

/** Needs a C compiler: only a preloaded library can fill a disk or set a clock for one program without extra rights. */
export async function buildMachines(): Promise<Machines> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-machines-'))
  await chmod(folder, 0o777) // PostgreSQL runs as another user
  const libraries = ['shifted-clock', 'full-disk'].map((name) => {
    const library = join(folder, `${name}.so`)
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, `bin/${name}.c`])
    return library
  })
  return {
    folder,
    async create(name) {
      const [clock, disk] = [join(folder, `${name}.clock`), join(folder, `${name}.disk`)]
      const shiftClock = (seconds: number) => {
        const bytes = Buffer.alloc(8)
        bytes.writeBigInt64LE(BigInt(seconds))
        return writeFile(clock, bytes, { flag: 'r+' })
      }
      const setDiskFull = (isFull: boolean) => writeFile(disk, Buffer.from([isFull ? 1 : 0]), { flag: 'r+' })
      await Promise.all([writeFile(clock, Buffer.alloc(8)), writeFile(disk, Buffer.alloc(1))])
      const LD_PRELOAD = [...libraries, process.env.LD_PRELOAD ?? ''].join(':')
      return { env: { LD_PRELOAD, CLOCK_SHIFT_FILE: clock, FULL_DISK_FILE: disk }, setDiskFull, shiftClock }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
