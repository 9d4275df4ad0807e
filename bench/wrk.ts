import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { cpuSeconds } from './process-stats.ts'

const CONNECTIONS = '32'

/** Returns responses per second of the server's CPU time, measured with wrk, an independent client in C. */
export async function measureWrk(
  { pid, port }: { pid: number; port: number },
  { path, headers, seconds }: { path: string; headers: Record<string, string>; seconds: number },
): Promise<number> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-t1', '-c', CONNECTIONS, '-d', `${seconds}s`, ...lines, `http://127.0.0.1:${port}${path}`]
  const began = cpuSeconds(pid)
  const { stdout } = await promisify(execFile)('wrk', args)
  const cpu = cpuSeconds(pid) - began
  const count = Number(/(\d+) requests in/.exec(stdout)?.[1])
  if (!(count > 0) || /Socket errors/.test(stdout)) throw new Error(`wrk: ${stdout}`)
  return count / cpu
}
