import { expect, test } from 'vitest'
import { readMarkdown } from './read-markdown.ts'

const GUIDE = `# The guide

Two lines
of one paragraph, with **strong** words, \`code * |\` and [a link](https://a.example/b).

## A part, and its name

- one that goes
  on
- two

1. first
2. second

| A | B |
| --- | --- |
| \`x\` | 1, 2 |

\`\`\`
KEY=value   # as it is

NEXT=
\`\`\`
`

test('a guide is read into its blocks', () => {
  expect(readMarkdown(GUIDE)).toEqual([
    { kind: 'title', text: 'The guide', id: 'the-guide' },
    {
      kind: 'paragraph',
      line: [
        'Two lines of one paragraph, with ',
        { strong: 'strong' },
        ' words, ',
        { code: 'code * |' },
        ' and ',
        { link: 'https://a.example/b', text: 'a link' },
        '.',
      ],
    },
    { kind: 'heading', text: 'A part, and its name', id: 'a-part-and-its-name' },
    { kind: 'list', isOrdered: false, items: [['one that goes on'], ['two']] },
    { kind: 'list', isOrdered: true, items: [['first'], ['second']] },
    { kind: 'table', head: [['A'], ['B']], rows: [[[{ code: 'x' }], ['1, 2']]] },
    { kind: 'code', text: 'KEY=value   # as it is\n\nNEXT=' },
  ])
})

test.each([
  ['a heading of another depth', '### Deep'],
  ['a heading that runs into a paragraph', '## Part\nwords'],
  ['a list in a list', '- one\n  - two'],
  ['an item that is not indented', '- one\ntwo'],
  ['a quote', '> words'],
  ['a rule', '---'],
  ['HTML', '<b>words</b>'],
  ['HTML in a line', 'words <b>strong</b>'],
  ['a picture', '![words](https://a.example/b.png)'],
  ['a link to a file', '[words](other.md)'],
  ['a link that is not encrypted', '[words](http://a.example)'],
  ['a link that is a script', '[words](javascript:alert)'],
  ['emphasis', 'some *words*'],
  ['a mark that does not end', 'some `words'],
  ['a table with a short row', '| A | B |\n| --- | --- |\n| 1 |'],
  ['a table without its rule', '| A | B |\n| 1 | 2 |'],
])('%s stops the build', (_what, text) => {
  expect(() => readMarkdown(text)).toThrow(/^This /)
})
