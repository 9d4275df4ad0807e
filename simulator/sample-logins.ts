export type SampleHostLogin = { host_id: string; username: string; password: string }

/** The demo's fixed logins, printed at its start. */
export const SAMPLE_MASTER = { email: 'master@parley.example', password: 'parley-demo-master' }

/** `host_id` is the one that each host gets in an empty installation. */
export const SAMPLE_HOSTS = {
  circle: { host_id: 'H000001', username: 'evening-circle', password: 'parley-demo-circle' },
  choir: { host_id: 'H000002', username: 'harbour-choir', password: 'parley-demo-choir' },
  readers: { host_id: 'H000003', username: 'morning-readers', password: 'parley-demo-readers' },
} as const satisfies Record<string, SampleHostLogin>

export function sampleLoginOf(hostId: string): SampleHostLogin | undefined {
  return Object.values(SAMPLE_HOSTS).find(({ host_id }) => host_id === hostId)
}
