import { act, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, expect, test } from 'vitest'
import { useTileRows } from './use-tile-rows.ts'

const NAMES = Array.from({ length: 300 }, (_, index) => `n${index}`)

function Tiles({ keys }: { keys: readonly string[] }) {
  const ref = useRef<HTMLUListElement>(null)
  const sizes = () => ({ columns: 2, height: 50, gap: 0 })
  const { visible, onFocus } = useTileRows(ref, { keys, attribute: 'data-name' }, sizes)
  return (
    <ul ref={ref} onFocus={onFocus}>
      {visible.flatMap(({ index }) =>
        keys.slice(index * 2, index * 2 + 2).map((key) => (
          <li key={key} data-name={key}>
            <button type="button">{key}</button>
          </li>
        )),
      )}
    </ul>
  )
}

function scrollTo(y: number) {
  Object.assign(window, { scrollY: y })
  act(() => void window.dispatchEvent(new Event('scroll')))
}
afterEach(() => scrollTo(0))

test('of many tiles the one with the focus stays drawn out of sight, also where it moves to another place', () => {
  const { rerender } = render(<Tiles keys={NAMES} />)
  expect([screen.queryByText('n1') !== null, screen.queryByText('n290')]).toEqual([true, null])
  const tile = screen.getByText('n1')
  tile.focus()
  scrollTo(7_000)
  expect([screen.queryByText('n290') !== null, screen.queryByText('n8')]).toEqual([true, null])
  expect(document.activeElement).toBe(tile)
  rerender(<Tiles keys={[...NAMES.slice(0, 1), ...NAMES.slice(2, 150), 'n1', ...NAMES.slice(150)]} />)
  expect([document.activeElement, screen.queryByText('n0')]).toEqual([tile, null])
})

test('of one that goes the place stays drawn, where the focus finds the next one', () => {
  const { rerender } = render(<Tiles keys={NAMES} />)
  screen.getByText('n1').focus()
  scrollTo(7_000)
  rerender(<Tiles keys={NAMES.filter((name) => name !== 'n1')} />)
  expect([screen.queryByText('n2') !== null, screen.queryByText('n8')]).toEqual([true, null])
})
