import { expect, test } from 'vitest'
import { z } from 'zod'
import { kubernetesSettings, manifest, manifests, readDeployFile, StringRecord } from './files.ts'

const Meta = z.object({ name: z.string() })
const Labels = z.object({ 'app.kubernetes.io/name': z.literal('parley') })
const Selector = z.object({ matchLabels: Labels })
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) })

const Container = z.object({
  ports: z.tuple([z.object({ name: z.literal('http'), containerPort: z.number() })]),
  envFrom: z.array(z.unknown()),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.unknown()),
})
const Deployment = z.object({
  spec: z.object({
    replicas: z.number().min(2),
    selector: Selector,
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.literal(0), maxSurge: z.literal(1) }) }),
    template: z.object({
      metadata: z.object({ labels: Labels }),
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        securityContext: z.object({
          runAsNonRoot: z.literal(true),
          runAsUser: z.number(),
          runAsGroup: z.number(),
          fsGroup: z.number(),
          seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
        }),
        containers: z.tuple([Container]),
        volumes: z.array(z.unknown()),
      }),
    }),
  }),
})
const Named = z.object({ metadata: Meta })
const pods = manifest('Deployment', Deployment).spec.template.spec
const [container] = pods.containers

test('the manifests are complete, and hold no secret', () => {
  expect(manifests.map(({ kind }) => kind)).toEqual([
    'ConfigMap',
    'PersistentVolumeClaim',
    'Deployment',
    'Service',
    'Service',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Ingress',
  ])
  expect(container.envFrom).toEqual([
    { configMapRef: manifest('ConfigMap', Named).metadata },
    { secretRef: { name: 'parley' } },
  ])
})

test('a pod must live and be ready, and runs as the user of the image', () => {
  expect(container.startupProbe.httpGet.path).toBe('/healthz')
  expect(container.livenessProbe.httpGet.path).toBe('/healthz')
  expect(container.readinessProbe.httpGet.path).toBe('/readyz?redis=optional') // or all would leave the service at once
  expect(container.ports[0].containerPort).toBe(Number(kubernetesSettings.PORT))
  const { runAsUser, runAsGroup, fsGroup } = pods.securityContext
  expect(readDeployFile('Dockerfile')).toContain(`USER ${runAsUser}:${runAsGroup}\n`)
  expect(fsGroup).toBe(runAsGroup)
})

test('at most one node goes at a time, and only of these', () => {
  const Budget = z.object({ spec: z.object({ maxUnavailable: z.literal(1), selector: Selector }) })
  expect(manifest('PodDisruptionBudget', Budget)).toBeDefined()
})

test('all nodes use one volume, as the folder of their data', () => {
  const Claim = z.object({ metadata: Meta, spec: z.object({ accessModes: z.tuple([z.literal('ReadWriteMany')]) }) })
  const claimName = manifest('PersistentVolumeClaim', Claim).metadata.name
  expect(pods.volumes).toEqual([{ name: 'data', persistentVolumeClaim: { claimName } }])
  expect(container.volumeMounts).toEqual([{ name: 'data', mountPath: kubernetesSettings.DATA_DIR }])
})

test('only the ingress controller reaches the nodes, whose proxy they trust', () => {
  const Peer = z.strictObject({
    namespaceSelector: z.object({ matchLabels: StringRecord }),
    podSelector: z.object({ matchLabels: StringRecord }),
  })
  const Rule = z.strictObject({ from: z.tuple([Peer]), ports: z.tuple([z.object({ port: z.literal('http') })]) })
  const Policy = z.object({
    spec: z.object({
      podSelector: Selector,
      policyTypes: z.tuple([z.literal('Ingress')]),
      ingress: z.tuple([Rule]),
    }),
  })
  const [rule] = manifest('NetworkPolicy', Policy).spec.ingress
  expect(rule.from[0].namespaceSelector.matchLabels).toEqual({ 'kubernetes.io/metadata.name': 'ingress-nginx' })
  expect(kubernetesSettings.TRUST_PROXY).toBe('true')
})

test('the ingress writes no addresses to a log, and keeps the metrics inside', () => {
  const Path = z.object({ path: z.string(), pathType: z.string(), backend: z.object({ service: Meta }) })
  const Ingress = z.object({
    metadata: z.object({ annotations: StringRecord }),
    spec: z.object({ rules: z.array(z.object({ http: z.object({ paths: z.array(Path) }) })) }),
  })
  const { metadata, spec } = manifest('Ingress', Ingress)
  expect(metadata.annotations).toEqual({ 'nginx.ingress.kubernetes.io/enable-access-log': 'false' })
  for (const { http } of spec.rules)
    expect(http.paths[0]).toEqual({
      path: '/metrics',
      pathType: 'Exact',
      backend: { service: { name: 'parley-nowhere' } },
    })
  const nowhere = manifests.find(({ metadata }) => Meta.parse(metadata).name === 'parley-nowhere')
  expect(nowhere).toMatchObject({ kind: 'Service', spec: { ports: [{ port: 80 }] } })
  expect(nowhere?.spec).not.toHaveProperty('selector')
})

test('all sites lead to the nodes', () => {
  const Service = z.object({ metadata: Meta, spec: z.object({ selector: Labels }) })
  const Backend = z.object({ backend: z.object({ service: Meta }) })
  const Paths = z.object({ paths: z.tuple([Backend, Backend]) })
  const Ingress = z.object({
    spec: z.object({
      tls: z.array(z.object({ hosts: z.array(z.string()) })),
      rules: z.array(z.object({ host: z.string(), http: Paths })),
    }),
  })
  const { rules, tls } = manifest('Ingress', Ingress).spec
  const { PUBLIC_URL = '', MASTER_HOSTNAME, HOST_HOSTNAME, PHONE_HOSTNAME } = kubernetesSettings
  const meeting = `meeting.${PHONE_HOSTNAME}`
  const names = [new URL(PUBLIC_URL).hostname, MASTER_HOSTNAME, HOST_HOSTNAME, PHONE_HOSTNAME, meeting]
  expect(rules.map(({ host }) => host)).toEqual(names)
  expect(tls.map(({ hosts }) => hosts)).toEqual([names])
  const { name } = manifest('Service', Service).metadata
  expect(rules.map(({ http }) => http.paths[1].backend.service.name)).toEqual(names.map(() => name))
})
