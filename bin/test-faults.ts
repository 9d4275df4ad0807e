import { spawn } from 'node:child_process'
import { once } from 'node:events'

// Breaks servers, PostgreSQL, Redis and the links between them under load, one fault at a time, and checks the results.
//
//     npm run test:faults                                 each fault once, in a seeded random order
//     npm run test:faults -- 100                          a hundred rounds
//     npm run test:faults -- "PostgreSQL crashes" 10      ten rounds of this fault; several can be named
//     FAULT_SEED=7 npm run test:faults                    repeats the order and the writes of another run
//
// An unknown name lists the existing ones. Needs a C compiler, to simulate full disks and clock jumps.

const args = process.argv.slice(2)
const isNumber = (arg: string) => /^\d+$/.test(arg)
const FAULTS = args.filter((arg) => !isNumber(arg)).join('\n')
const env = { ...process.env, FAULTS, FAULT_ROUNDS: args.find(isNumber) ?? '' }
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'processes', 'test/faults']
const [code] = await once(spawn(process.execPath, vitest, { stdio: 'inherit', env }), 'exit')
process.exitCode = code ?? 1
