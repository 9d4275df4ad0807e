import { spawn } from 'node:child_process'
import { once } from 'node:events'

// Breaks servers, PostgreSQL, Redis and what is between them under load, one fault after the other, and checks what is left.
//
//     npm run test:faults                                 each fault once, in an order that follows from a seed
//     npm run test:faults -- 100                          a hundred rounds
//     npm run test:faults -- "PostgreSQL crashes" 10      ten rounds of this fault; several can be named
//     FAULT_SEED=7 npm run test:faults                    the order and the writes of another run again
//
// A name that does not exist is answered with those that do. Needs a C compiler, for full disks and clocks that jump.

const args = process.argv.slice(2)
const isNumber = (arg: string) => /^\d+$/.test(arg)
const FAULTS = args.filter((arg) => !isNumber(arg)).join('\n')
const env = { ...process.env, FAULTS, FAULT_ROUNDS: args.find(isNumber) ?? '' }
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'processes', 'test/faults']
const [code] = await once(spawn(process.execPath, vitest, { stdio: 'inherit', env }), 'exit')
process.exitCode = code ?? 1
