import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { expect, test } from 'vitest'

interface Import {
  from: string
  to: string
}

const SOURCES = globSync('{server,web,emulator}/**/*.{ts,tsx}', {
  exclude: (path) => /dist$|\.test\.tsx?$/.test(String(path)),
})
const IMPORTS = SOURCES.map((file) => file.replaceAll('\\', '/')).flatMap(importsOf)

/** The lowest layer comes first: a folder imports only from its own layer and lower ones. */
const SERVER_LAYERS = [['lib'], ['db', 'redis'], ['zoom', 'jobs'], ['features'], ['plugins', 'commands'], ['.']]
const WEB_LAYERS = [['lib', 'zoom'], ['ui', 'meeting', 'seat', 'queries'], ['widgets', 'phone'], ['features'], ['app']]
/** The loose files that every layer of the server may import. */
const BASE = ['server/config.ts', 'server/deps.ts', 'server/errors.ts']

test.each([
  ['server', SERVER_LAYERS],
  ['web', WEB_LAYERS],
])('imports in %s point from upper layers to lower ones', (part, layers) => {
  const layerOf = (file: string) => {
    const [, folder = '', ...rest] = file.split('/')
    return layers.findIndex((names) => names.includes(rest.length === 0 ? '.' : folder))
  }
  const inside = IMPORTS.filter(({ from, to }) => from.startsWith(`${part}/`) && to.startsWith(`${part}/`))
  expect(inside.length).toBeGreaterThan(100)
  const upward = inside.filter(
    ({ from, to }) => layerOf(from) < layerOf(to) && !BASE.includes(to) && !BASE.includes(from),
  )
  expect(upward).toEqual([])
})

test('no two folders import each other', () => {
  const imports = IMPORTS.filter(({ from }) => !BASE.includes(from))
  expect(mutualPairs(imports.map(({ from, to }) => [folderOf(from), folderOf(to)]))).toEqual([])
})

test('no two folders of a feature of the console import each other', () => {
  const within = IMPORTS.map(({ from, to }) => [dirname(from), dirname(to)] as const).filter((folders) =>
    folders.every((folder) => /^web\/features\/[^/]+\/./.test(folder)),
  )
  expect(within.length).toBeGreaterThan(50)
  expect(mutualPairs(within)).toEqual([])
})

test('web/lib has no words of the product beyond the session and the site', () => {
  const shared = IMPORTS.filter(({ from, to }) => from.startsWith('web/lib/') && to.startsWith('shared/'))
  const loose = shared.filter(({ from }) => !from.startsWith('web/lib/session/'))
  expect([...new Set(loose.map(({ to }) => to))].sort()).toEqual([
    'shared/dates.ts',
    'shared/passkeys.ts',
    'shared/phone/failure.ts',
    'shared/request-timeout.ts',
    'shared/site.ts',
  ])
})

test("the console's features do not import each other", () => {
  const between = IMPORTS.filter(({ from, to }) => {
    const [feature, other] = [folderOf(from), folderOf(to)]
    return [feature, other].every((folder) => folder.startsWith('web/features/')) && feature !== other
  })
  expect(between).toEqual([])
})

test('the phone app shares little with the console, and with its frame the messages', () => {
  const isOfPhone = (file: string) => file.startsWith('web/phone/')
  const across = IMPORTS.filter(({ from, to }) => to.startsWith('web/') && isOfPhone(from) !== isOfPhone(to))
  expect(across.length).toBeGreaterThan(20)
  const OTHERS = ['storage.ts', 'use-audio.ts', 'wake-lock.ts', 'save-file.ts', 'format-clock.ts', 'use-now.ts'].map(
    (file) => `web/lib/${file}`,
  )
  OTHERS.push('web/meeting/messages.ts', 'web/meeting/meeting-audio.ts')
  expect(across.filter(({ to }) => !to.startsWith('web/ui/base/') && !OTHERS.includes(to))).toEqual([])
})

test('the base set does without Mantine and the rest of the console', () => {
  const files = SOURCES.filter((file) => file.startsWith('web/ui/base/'))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => readFileSync(file, 'utf8').includes('@mantine/'))).toEqual([])
  const outside = IMPORTS.filter(({ from, to }) => files.includes(from) && !to.startsWith('web/ui/base/'))
  expect(outside.map(({ to }) => to).sort()).toEqual(['web/lib/light-toast.ts', 'web/lib/storage.ts'])
})

test('few files of the server lie outside its folders', () => {
  const loose = SOURCES.filter((file) => dirname(file) === 'server')
  expect(loose.length).toBeLessThanOrEqual(9)
})

test('what describes a call stands in an api.ts, not among the routes', () => {
  const holding = (name: RegExp) =>
    SOURCES.filter((file) => file.startsWith('server/features/') && name.test(file)).filter((file) =>
      readFileSync(file, 'utf8').includes('operationId:'),
    )
  expect(holding(/api\.ts$/).length).toBeGreaterThan(10)
  expect(holding(/routes\.ts$/)).toEqual([])
})

function importsOf(from: string): Import[] {
  const text = readFileSync(from, 'utf8')
  return [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, path = '']) => ({
    from,
    to: join(dirname(from), path),
  }))
}

/** Finds the pairs of folders of which each imports the other. */
function mutualPairs(edges: (readonly [from: string, to: string])[]): string[] {
  const all = new Set(edges.map(([from, to]) => `${from} ${to}`))
  return [...all].filter((edge) => {
    const [from = '', to = ''] = edge.split(' ')
    return from < to && all.has(`${to} ${from}`)
  })
}

/** `server/db` or `web/features/hosts`; a loose file is its own folder. */
function folderOf(file: string): string {
  const parts = file.split('/')
  const depth = parts[1] === 'features' || parts[1] === 'widgets' ? 3 : 2
  return parts.slice(0, Math.min(depth, parts.length)).join('/')
}
