import { relative, resolve } from 'node:path'
import type { Config } from '../config.ts'

/** These paths of DATA_DIR, without any that leads to it or out of it. */
export function filesIn({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, paths: string[]): string[] {
  const root = resolve(DATA_DIR)
  return paths
    .map((path) => resolve(root, path))
    .filter((path) => path !== root && !relative(root, path).startsWith('..'))
}
