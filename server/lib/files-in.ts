import { relative, resolve } from 'node:path'
import type { Config } from '../config.ts'

/** Returns absolute paths. Drops any path that leads out of DATA_DIR or to the folder itself. */
export function filesIn({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, paths: string[]): string[] {
  const root = resolve(DATA_DIR)
  return paths
    .map((path) => resolve(root, path))
    .filter((path) => path !== root && !relative(root, path).startsWith('..'))
}
