import { setTimeout as delay } from 'node:timers/promises'

const LONGEST_MS = 5_000

/** Makes a Node.js process, started with `--inspect-port`, collect all its garbage. */
export async function collectGarbage({ pid, inspectorPort }: { pid: number; inspectorPort: number }): Promise<void> {
  process.kill(pid, 'SIGUSR1') // opens the inspector
  const inspector = new WebSocket(await findInspector(inspectorPort))
  const ask = (id: number, method: string, params = {}) =>
    new Promise<void>((resolve, reject) => {
      inspector.addEventListener('message', ({ data }) => JSON.parse(String(data)).id === id && resolve())
      inspector.addEventListener('close', () => reject(new Error('The inspector closed')))
      inspector.send(JSON.stringify({ id, method, params }))
    })
  await new Promise((resolve) => inspector.addEventListener('open', resolve))
  await ask(1, 'HeapProfiler.collectGarbage')
  await ask(2, 'HeapProfiler.collectGarbage') // the first one left work to finalizers
  inspector.close()
}

async function findInspector(port: number): Promise<string> {
  for (const began = performance.now(); ; await delay(20)) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null)
    const targets = answer ? ((await answer.json()) as { webSocketDebuggerUrl: string }[]) : []
    if (targets[0]) return targets[0].webSocketDebuggerUrl
    if (performance.now() - began > LONGEST_MS) throw new Error('The inspector did not open')
  }
}
