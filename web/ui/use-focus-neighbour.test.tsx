import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useFocusNeighbour } from './use-focus-neighbour.ts'

function List({ names }: { names: readonly string[] }) {
  const keepsFocus = useFocusNeighbour('list-title')
  return (
    <section ref={keepsFocus}>
      <h2 id="list-title" tabIndex={-1}>
        People
      </h2>
      {names.length === 0 ? null : (
        <ul>
          {names.map((name) => (
            <li key={name}>
              <button type="button">{name}</button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const focused = () => document.activeElement?.textContent

test('a row that goes with the focus leaves it to the next one, then to the one before, then to the title', async () => {
  const { rerender } = render(<List names={['a', 'b', 'c', 'd']} />)
  screen.getByText('b').focus()
  rerender(<List names={['d', 'a', 'b', 'c']} />)
  await waitFor(() => expect(focused()).toBe('b'))
  rerender(<List names={['d', 'a', 'c']} />)
  await waitFor(() => expect(focused()).toBe('c'))
  rerender(<List names={['a']} />) // the one before has gone too
  await waitFor(() => expect(focused()).toBe('a'))
  rerender(<List names={[]} />)
  await waitFor(() => expect(focused()).toBe('People'))
})

test('a row that goes without the focus takes it from nowhere', async () => {
  const { rerender } = render(<List names={['a', 'b', 'c', 'd']} />)
  screen.getByText('b').focus()
  screen.getByText('b').blur() // as with a press beside the list
  await Promise.resolve()
  rerender(<List names={['a', 'c', 'd']} />)
  await new Promise((resolve) => queueMicrotask(() => resolve(null)))
  expect(document.activeElement).toBe(document.body)
  screen.getByText('d').focus()
  rerender(<List names={['a', 'd']} />)
  await new Promise((resolve) => queueMicrotask(() => resolve(null)))
  expect(focused()).toBe('d')
})
