import { Checkbox } from '@mantine/core'
import { memo } from 'react'

type SelectBoxProps = {
  id: string
  label: string
  checked: boolean
  onSelect: (id: string, isSelected: boolean) => void
}

/** Chooses one row of a table; left alone while the row's other cells change. */
export const SelectBox = memo(function SelectBox({ id, label, checked, onSelect }: SelectBoxProps) {
  return (
    <Checkbox
      size="sm"
      aria-label={label}
      checked={checked}
      onChange={(event) => onSelect(id, event.currentTarget.checked)}
    />
  )
})
