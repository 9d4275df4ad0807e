import type { TestServer } from './start.ts'

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** Scrapes a server as Prometheus does. */
export async function readMetrics({ app }: Pick<TestServer, 'app'>): Promise<Sample[]> {
  const { statusCode, body } = await app.inject({ url: '/metrics', headers: { host: 'localhost' } })
  if (statusCode !== 200) throw new Error(`The metrics were refused: ${statusCode}`)
  return parseMetrics(body)
}

export function parseMetrics(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', is = '']) => [label, is])
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })
}

/** Returns the value of a sample by its name and labels; undefined if there is none. */
export function sampleOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}) {
  return samples.find(
    (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )?.value
}
