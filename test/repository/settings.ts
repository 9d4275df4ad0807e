import { readConfig } from '../../server/config.ts'

/** Lists the settings that the server reads from an empty environment. */
export function settingsRead(): string[] {
  const asked = new Set<string>()
  readConfig(
    new Proxy<Record<string, string | undefined>>(
      {},
      {
        get(_env, name) {
          if (typeof name === 'string') asked.add(name)
          return undefined
        },
      },
    ),
  )
  return [...asked]
}
