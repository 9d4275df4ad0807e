import type { Scenario } from './scenario.ts'

export const quietRoom: Scenario = {
  about: 'everyone listens: streams and heartbeats alone',
  signsInAgain: false,
  begin: () => {},
}
