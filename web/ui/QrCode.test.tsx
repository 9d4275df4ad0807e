import { render, screen } from '@testing-library/react'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { QrCode } from './QrCode.tsx'

test('a QR code has each dot of its text, with four white ones around', () => {
  const text = 'https://phone.parley.example/?host=H000001'
  render(<QrCode text={text} label="The code" />)
  const code = screen.getByRole('img', { name: 'The code' })
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  expect(code.getAttribute('viewBox')).toBe(`0 0 ${size} ${size}`)
  const drawn = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  for (const [, x, y, length] of code
    .querySelector('path')
    ?.getAttribute('d')
    ?.matchAll(/M(\d+) (\d+)h(\d+)/g) ?? [])
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(length))
  expect(drawn).toEqual(data)
  expect(data.slice(0, 4).flat()).not.toContain(true)
})
