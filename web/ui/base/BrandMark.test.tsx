import { readFileSync } from 'node:fs'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BrandMark } from './BrandMark.tsx'

test("the mark on the pages is that of the browser's tab, from which all icons are drawn", () => {
  const { container } = render(<BrandMark />)
  const tab = new DOMParser().parseFromString(readFileSync('web/public/favicon.svg', 'utf8'), 'image/svg+xml')
  expect(shapes(container)).toEqual(shapes(tab))
})

function shapes(parent: ParentNode) {
  return [...parent.querySelectorAll('rect, g, path')].map((shape) => [
    shape.localName,
    ...[...shape.attributes].map(({ name, value }) => `${name}=${value}`).sort(),
  ])
}
