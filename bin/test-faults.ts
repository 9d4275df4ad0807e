import { spawn } from 'node:child_process'
import { once } from 'node:events'

// Breaks servers, PostgreSQL and Redis under load, one after the other, and checks what is left. Half a minute a fault:
// `npm run test:faults -- 100` does that many.

const [rounds = '32'] = process.argv.slice(2)
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'processes', 'test/faults']
const run = spawn(process.execPath, vitest, { stdio: 'inherit', env: { ...process.env, FAULT_ROUNDS: rounds } })
const [code] = await once(run, 'exit')
process.exitCode = code ?? 1
