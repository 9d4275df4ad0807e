import { randomUUID } from 'node:crypto'
import { GROUP_COLOURS, GROUPS_MAX, type GroupColour, groupKey, type UserGroup } from '../../../shared/user-groups.ts'
import { invalidField } from '../../errors.ts'

/** Returns the chosen groups, each once, in the order of the room's list. */
export function chosenGroups(groups: readonly UserGroup[], ids: readonly string[]): UserGroup[] {
  const wanted = new Set(ids.map((id) => id.toLowerCase()))
  const chosen = groups.filter(({ id }) => wanted.has(id))
  if (chosen.length < wanted.size)
    throw invalidField('group_ids', 'One of these groups is no longer there. Choose again.')
  return chosen
}

/** Resolves the names of groups in a file, and notes those that are to be made. */
export class NamedGroups {
  readonly made: UserGroup[] = []
  readonly #byKey: Map<string, UserGroup>

  constructor(groups: readonly UserGroup[]) {
    this.#byKey = new Map(groups.map((group) => [groupKey(group.name), group]))
  }

  /** Returns the ids of the groups with these names; null, and makes none, if the room would have too many. */
  resolve(names: readonly string[]): string[] | null {
    const byKey = new Map<string, string>()
    for (const name of names) if (!byKey.has(groupKey(name))) byKey.set(groupKey(name), name)
    const missing = [...byKey].filter(([key]) => !this.#byKey.has(key))
    if (this.#byKey.size + missing.length > GROUPS_MAX) return null
    for (const [key, name] of missing) {
      const group = { id: randomUUID(), name, colour: this.#rarestColour() }
      this.made.push(group)
      this.#byKey.set(key, group)
    }
    return [...byKey.keys()].flatMap((key) => this.#byKey.get(key)?.id ?? [])
  }

  #rarestColour(): GroupColour {
    const times = (colour: GroupColour) => [...this.#byKey.values()].filter((one) => one.colour === colour).length
    return GROUP_COLOURS.toSorted((one, other) => times(one) - times(other))[0] ?? 'grey'
  }
}
