import { ownVersion } from '../lib/own-version.ts'

// Prints a line such as `parley 0.2.0 (abc1234)`.

process.stdout.write(`parley ${ownVersion()}\n`)
