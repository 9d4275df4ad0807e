type State = Record<string, unknown>

/** Returns only the fields that differ. */
export function diffFields(before: State, after: State): { before: State; after: State } {
  const keys = Object.keys(after).filter((key) => after[key] !== undefined && after[key] !== before[key])
  return { before: pick(before, keys), after: pick(after, keys) }
}

function pick(state: State, keys: string[]): State {
  return Object.fromEntries(keys.map((key) => [key, state[key] ?? null]))
}
