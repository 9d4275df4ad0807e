import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['plain text', ['U000001', 'amina', 3], 'U000001,amina,3\r\n'],
  ['nothing', [null, '', 0], ',,0\r\n'],
  [
    'a comma, a quote and line breaks',
    ['a,b', 'say "hi"', 'two\r\nlines', 'l\nf'],
    '"a,b","say ""hi""","two\r\nlines","l\nf"\r\n',
  ],
  ['spaces at the ends', [' a', 'b '], '" a","b "\r\n'],
  ['beginnings of formulas', ['=1+1', '+1', '-1', '@SUM(A1)'], "'=1+1,'+1,'-1,'@SUM(A1)\r\n"],
  ['a formula with a quote and a comma', ['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"\r\n'],
  ['a formula behind a tab or a line break', ['\t=1', '\r=1'], '\'\t=1,"\'\r=1"\r\n'],
  ['a formula in wide signs', ['＝1', '＠x'], "'＝1,'＠x\r\n"],
  ['a number below zero, which is ours', [-1], '-1\r\n'],
  ['signs further on', ['a=b', '1-2'], 'a=b,1-2\r\n'],
])('%s', (_name, cells, line) => {
  expect(csvLine(cells)).toBe(line)
})
