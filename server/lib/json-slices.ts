import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'

/** Rows that are serialised at a time, which takes about a millisecond. */
const SLICE_ROWS = 250

/** Serialises a long array slice by slice, so that other calls go on between them. Each row passes its schema. */
export async function* jsonSlices<Row, Item extends z.ZodType>(
  item: Item,
  rows: readonly Row[],
  toItem: (row: Row) => z.input<Item>,
): AsyncGenerator<string> {
  const items = z.array(item)
  yield '['
  for (let from = 0; from < rows.length; from += SLICE_ROWS) {
    const slice = JSON.stringify(items.parse(rows.slice(from, from + SLICE_ROWS).map(toItem)))
    yield (from > 0 ? ',' : '') + slice.slice(1, -1)
    await setImmediate()
  }
  yield ']'
}
