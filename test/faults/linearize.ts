/** A call that wrote or read one register, such as a user's mute. Times in ms. */
export interface Operation {
  kind: 'write' | 'read'
  value: boolean
  began: number
  ended: number
  /** A write without a response: it was done before `ended`, or never. */
  isUncertain?: true
}

/** A possible state of the register: its value, and the pending operations that have taken effect. */
interface Possibility {
  value: boolean
  done: ReadonlySet<Operation>
}

/**
 * Returns the first operation that no linearization explains, in which each takes effect at one moment between its
 * start and its end; null if all are explained. Tracks all possible states over time, and decides on an operation only
 * when it ends (Lowe, Testing for linearizability, 2017).
 */
export function findUnexplained(initial: boolean, operations: readonly Operation[]): Operation | null {
  const underWay = new Set<Operation>()
  let possible: Possibility[] = [{ value: initial, done: new Set() }]
  for (const { operation, isEnd } of inTime(operations)) {
    if (!isEnd) {
      underWay.add(operation)
      continue
    }
    if (!operation.isUncertain) possible = possible.flatMap((one) => waysTo(operation, one, underWay))
    underWay.delete(operation)
    possible = distinct(possible.map(({ value, done }) => ({ value, done: without(done, operation) })))
    if (possible.length === 0) return operation
  }
  return null
}

/** Sorts starts before ends at the same moment, as their order is unknown. */
function inTime(operations: readonly Operation[]): { operation: Operation; isEnd: boolean }[] {
  return operations
    .flatMap((operation) => [
      { operation, isEnd: false, at: operation.began },
      { operation, isEnd: true, at: operation.ended },
    ])
    .sort((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd))
}

/** Returns the states in which the operation has taken effect, next or after other pending ones. */
function waysTo(operation: Operation, from: Possibility, underWay: ReadonlySet<Operation>): Possibility[] {
  const found: Possibility[] = []
  let open = [from]
  while (open.length > 0) {
    const next: Possibility[] = []
    for (const state of open) {
      if (state.done.has(operation)) found.push(state)
      else for (const one of candidates(state, underWay)) next.push(after(state, one))
    }
    open = distinct(next)
  }
  return distinct(found)
}

/** Considers only the first uncertain write of each value to expire: the others remain for later. */
function candidates({ value, done }: Possibility, underWay: ReadonlySet<Operation>): Operation[] {
  const uncertain = new Map<boolean, Operation>()
  const certain: Operation[] = []
  for (const one of underWay) {
    if (done.has(one) || (one.kind === 'read' && one.value !== value)) continue
    if (!one.isUncertain) certain.push(one)
    else if (one.value !== value && one.ended < (uncertain.get(one.value)?.ended ?? Number.POSITIVE_INFINITY))
      uncertain.set(one.value, one)
  }
  return [...certain, ...uncertain.values()]
}

function after({ value, done }: Possibility, operation: Operation): Possibility {
  return { value: operation.kind === 'write' ? operation.value : value, done: new Set([...done, operation]) }
}

const without = (done: ReadonlySet<Operation>, operation: Operation) => {
  const rest = new Set(done)
  rest.delete(operation)
  return rest
}

const names = new WeakMap<Operation, number>()
let named = 0
function nameOf(operation: Operation): number {
  const name = names.get(operation) ?? ++named
  names.set(operation, name)
  return name
}

function distinct(possible: Possibility[]): Possibility[] {
  const keyOf = ({ value, done }: Possibility) => `${value} ${[...done].map(nameOf).sort((a, b) => a - b)}`
  return [...new Map(possible.map((one) => [keyOf(one), one])).values()]
}
