import { readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { z } from 'zod'

export const readDeployFile = (name: string) => readFileSync(`deploy/${name}`, 'utf8')

/** Returns the first group of each match. */
export const captureAll = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)

export const StringRecord = z.record(z.string(), z.string())

/** Docker's own default keeps all output for ever. */
const logging = z.object({ options: z.object({ 'max-size': z.literal('50m'), 'max-file': z.string() }) })

const Node = z.object({
  logging,
  environment: StringRecord,
  secrets: z.array(z.string()),
  stop_grace_period: z.string(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  volumes: z.array(z.string()),
})

export const compose = z
  .object({
    services: z.object({
      node1: Node,
      node2: Node,
      caddy: z.object({ logging, environment: StringRecord, volumes: z.array(z.string()) }),
      postgres: z.object({ logging, environment: StringRecord, secrets: z.array(z.string()) }),
      redis: z.object({ logging, command: z.array(z.string()), secrets: z.array(z.string()) }),
    }),
    volumes: z.record(z.string(), z.null()),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
  })
  .parse(parseYaml(readDeployFile('compose.yaml')))

/** The documents of kubernetes.yaml. */
export const manifests = readDeployFile('kubernetes.yaml')
  .split(/^---$/m)
  .map((text) => z.looseObject({ kind: z.string() }).parse(parseYaml(text)))

export function manifest<T>(kind: string, schema: z.ZodType<T>): T {
  return schema.parse(manifests.find((document) => document.kind === kind))
}

export const kubernetesSettings = manifest('ConfigMap', z.object({ data: StringRecord })).data

const environment = /^Environment=(.*)$/m.exec(readDeployFile('parley@.service'))?.[1] ?? ''
export const unitSettings = Object.fromEntries(
  [...environment.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
)
