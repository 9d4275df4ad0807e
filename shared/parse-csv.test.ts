import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'
import { parseCsv } from './parse-csv.ts'

test.each([
  [
    'commas',
    'a,b\r\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'semicolons, as some Excels write',
    'a;b,c\nd;e',
    [
      ['a', 'b,c'],
      ['d', 'e'],
    ],
  ],
  [
    'tabs, as a copied range has them',
    'a\tb, c\n\td',
    [
      ['a', 'b, c'],
      ['', 'd'],
    ],
  ],
  [
    'semicolons, and a line end after the last row',
    'a;b\nc;d\n\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['one column', 'a\nb\n', [['a'], ['b']]],
  ['quotes', '"a,1","say ""hi""",x\n', [['a,1', 'say "hi"', 'x']]],
  ['a quote within a word', 'O"Neil,2', [['O"Neil', '2']]],
  ['a quote that is never closed', '"a,b\nc', [['a,b\nc']]],
  ['spaces around cells', ' a , "b" ,c ', [['a', 'b', 'c']]],
  ['a byte order mark', '\uFEFFa,b', [['a', 'b']]],
  [
    'old line ends',
    'a,b\rc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['guarded formulas', "'=1+1,'-2,'x", [['=1+1', '-2', "'x"]]],
  ['nothing', '', []],
  ['empty lines and cells', '\n,,\na,\n\n', [['a', '']]],
])('%s', (_name, text, cells) => {
  expect(parseCsv(text).map((row) => row.cells)).toEqual(cells)
})

test('each row has the number of its first line', () => {
  expect(parseCsv('a,b\r\n\r\n"two\nlines",c\r\nd,e').map(({ line }) => line)).toEqual([1, 3, 5])
})

test('a written line reads back unchanged', () => {
  const cell = fc.string({ unit: 'grapheme' }).filter((text) => text === text.trim() && !/^'[=+\-@＝＋－＠]/.test(text))
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2 }), (cells) => {
      fc.pre(cells.some((one) => one !== ''))
      const first = ['one', 'two']
      const [, read] = parseCsv(csvLine(first) + csvLine(cells))
      expect(read?.cells).toEqual(cells)
    }),
  )
})
