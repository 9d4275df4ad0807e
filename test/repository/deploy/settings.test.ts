import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../../server/config.ts'
import { settingsRead } from '../settings.ts'
import { captureAll, compose, kubernetesSettings, manifest, readDeployFile, unitSettings } from './files.ts'

const guide = readFileSync('docs/deploy.md', 'utf8')
const composeSettings = compose.services.node1.environment

test.each([
  ['deploy/parley@.service', Object.keys(unitSettings)],
  ['deploy/Dockerfile', captureAll(/^ENV .*$/m.exec(readDeployFile('Dockerfile'))?.[0] ?? '', /([A-Z_]+)=/g)],
  ['deploy/compose.yaml', Object.keys(composeSettings)],
  [
    'deploy/kubernetes.yaml',
    [...Object.keys(kubernetesSettings), ...captureAll(readDeployFile('kubernetes.yaml'), /literal=([A-Z_]+)=/g)],
  ],
  ['docs/deploy.md', [...captureAll(guide, /^([A-Z][A-Z_]+)=/gm), ...captureAll(guide, /`([A-Z]+_[A-Z_]+)`/g)]],
])('%s names settings that there are', (_file, names) => {
  expect(names.length).toBeGreaterThan(1)
  expect(names.filter((name) => !settingsRead().includes(name))).toEqual([])
})

/** Secrets that come from files are given in the tests. */
const withoutFiles = (given: Record<string, string>) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !name.endsWith('_FILE')))

test.each([
  ['compose.yaml', composeSettings],
  ['kubernetes.yaml', kubernetesSettings],
  ['parley@.service', { ...unitSettings, PORT: '3000' }],
])('the settings of %s hold valid values', (_file, given) => {
  const secrets = {
    DATABASE_URL: 'postgresql://parley:x@postgres/parley',
    SECRET_KEY: '0123456789abcdef0123456789abcdef',
    ...('BACKUP_TO' in given && { BACKUP_PASSPHRASE: 'six quiet green kettles' }),
  }
  const zoom = { ZOOM_CLIENT_ID: 'id', ZOOM_CLIENT_SECRET: 'secret' }
  expect(readConfig({ ...withoutFiles(given), ...secrets, ...zoom })).toMatchObject({ PORT: 3000 })
  if ('BIND' in given)
    expect(() => readConfig({ ...withoutFiles(given), ...secrets })).toThrow(/^ZOOM_CLIENT_ID is not set/)
})

const Deployment = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            lifecycle: z.object({
              preStop: z.object({ exec: z.object({ command: z.tuple([z.literal('sleep'), z.string()]) }) }),
            }),
          }),
        ]),
      }),
    }),
  }),
})

test('whatever runs a node leaves it the time that it may take to stop', () => {
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(readDeployFile('parley@.service'))?.[1])).toBeGreaterThan(
    Number(unitSettings.STOP_SECONDS),
  )
  const { stop_grace_period } = compose.services.node1
  expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(Number(composeSettings.STOP_SECONDS))
  const { terminationGracePeriodSeconds, containers } = manifest('Deployment', Deployment).spec.template.spec
  const [, slept] = containers[0].lifecycle.preStop.exec.command
  expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(slept) + Number(kubernetesSettings.STOP_SECONDS))
})

test('docs/deploy.md names metrics and events of the log that there are', () => {
  const sources = globSync(['server/**/*.ts', 'node_modules/prom-client/lib/**/*.js'], {
    exclude: (path) => String(path).endsWith('.test.ts'),
  }).map((file) => readFileSync(file, 'utf8'))
  const names = captureAll(guide, /^\| `([a-z_.0-9]+)` +\|/gm)
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !sources.some((text) => text.includes(`'${name}'`)))).toEqual([])
})
