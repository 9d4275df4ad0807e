import { NativeSelect } from '@mantine/core'
import { z } from 'zod'
import type { ListOrder } from './list-order.ts'
import classes from './toolbar.module.css'

export const TileOrderName = z.enum(['arrival', 'name', 'since', 'spoken'])
export type TileOrderName = z.infer<typeof TileOrderName>

const ORDERS = {
  arrival: { label: 'Arrival', order: null },
  name: { label: 'Name', order: { column: 'name', isDescending: false } },
  since: { label: 'Time', order: { column: 'since', isDescending: false } },
  spoken: { label: 'Talk time', order: { column: 'spoken', isDescending: true } },
} as const satisfies Record<TileOrderName, { label: string; order: ListOrder }>

export const tileOrder = (name: TileOrderName): ListOrder => ORDERS[name].order

type TileOrderProps = { value: TileOrderName; onChange: (name: TileOrderName) => void }

export function TileOrder({ value, onChange }: TileOrderProps) {
  return (
    <NativeSelect
      className={classes.order}
      aria-label="Order of the tiles"
      title="Order of the tiles"
      data={TileOrderName.options.map((name) => ({ value: name, label: ORDERS[name].label }))}
      value={value}
      onChange={({ currentTarget }) => {
        const { data: chosen } = TileOrderName.safeParse(currentTarget.value)
        if (chosen) onChange(chosen)
      }}
    />
  )
}
