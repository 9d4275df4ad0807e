import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MB = 1024 ** 2

/** Runs a script in a process of its own, in the folder of this project; returns what it prints. */
async function run(script: string, flags: string[] = []): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--input-type=module', '--eval', script])
  return stdout
}

/** Takes megabytes each, which many servers never need. */
const LOADED_LATER = /node_modules\/(@electric-sql|@fastify\/swagger|@scalar|ioredis|sharp|yaml)\/|undici\/undici$/

test('the start loads nothing large that only some calls need', async () => {
  const output = await run(`
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    process.argv.push('--version')
    await import('./server/main.ts')
    await import('./server/start.ts')
    console.log([...loaded, ...process.moduleLoadList].join('\\n'))`)
  const loaded = output.split('\n')
  expect(loaded.filter((name) => name.includes('node_modules/fastify/'))).not.toEqual([])
  expect(loaded.filter((name) => LOADED_LATER.test(name))).toEqual([])
})

test('the start formats nothing for a language, for which 7 MB would be loaded', async () => {
  const output = await run(`
    const used = []
    for (const name of ['Collator', 'DateTimeFormat', 'NumberFormat'])
      Intl[name] = class { constructor() { used.push(name) } compare() {} }
    for (const { prototype } of [Number, Date, String])
      for (const name of ['toLocaleString', 'localeCompare'])
        if (Object.hasOwn(prototype, name)) prototype[name] = () => used.push(name)
    await import('./server/start.ts')
    console.log(JSON.stringify(used))`)
  expect(JSON.parse(output)).toEqual([])
})

test('an idle process gives back the memory of its young generation', async () => {
  const output = await run(`
    import { setTimeout as delay } from 'node:timers/promises'
    import { getHeapSpaceStatistics } from 'node:v8'
    import { shrinkWhenIdle } from './server/lib/shrink-when-idle.ts'
    const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
    let kept = []
    for (let n = 0; n < 3_000_000; n++) kept.push({ n })
    const busy = size()
    kept = null
    shrinkWhenIdle(200)
    const began = performance.now()
    while (size() > busy / 2 && performance.now() - began < 60_000) await delay(50)
    console.log(JSON.stringify({ busy, idle: size() }))`)
  const { busy, idle } = JSON.parse(output)
  expect(busy).toBeGreaterThan(8 * MB)
  expect(idle).toBeLessThanOrEqual(busy / 2)
})

test('a started process gives back what only the start needed, and keeps a young generation that polls need', async () => {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { shrinkAfterStart } from './server/lib/shrink-when-idle.ts'
    const sizes = () => {
      const spaces = Object.fromEntries(getHeapSpaceStatistics().map((one) => [one.space_name, one]))
      return { old: spaces.old_space.space_size, free: spaces.new_space.space_available_size }
    }
    let kept = []
    for (let n = 0; n < 3_000_000; n++) kept.push({ n })
    const busy = sizes()
    kept = null
    shrinkAfterStart()
    console.log(JSON.stringify({ busy, idle: sizes() }))`
  const { busy, idle } = JSON.parse(await run(script, ['--min-semi-space-size=8']))
  expect(idle.old).toBeLessThan(busy.old / 4)
  expect(idle.free).toBeGreaterThan(7 * MB)

  const without = JSON.parse(await run(script))
  expect(without.idle.old).toBeGreaterThan(without.busy.old / 2)
})
