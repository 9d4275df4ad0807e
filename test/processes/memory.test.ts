import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Runs a script in a process of its own, in the folder of this project; returns what it prints. */
async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
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
