import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readGuide } from './read-guide.ts'

const GUIDE = `# <a id="guide"></a>The guide

> For readers of the file.

Two lines
of one paragraph, with **strong** words, \`code * |\` and [a link](https://a.example/b).

## A part, and its name

- one that goes
  on
- two, with <kbd>Ctrl</kbd>

1. first
2. see [the table](#table)
3. not yet <!-- once published:
   from [the store](https://store.example) -->

![What it shows](pictures/it-shows.webp)

### <a id="table"></a>A table

| A | B |
| --- | --- |
| \`x\` | 1, 2 |

## Another part

\`\`\`
KEY=value   # as it is

NEXT=
\`\`\`
`

test('a guide is read into its sections', () => {
  expect(readGuide(GUIDE)).toEqual({
    id: 'guide',
    title: 'The guide',
    blocks: [
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
    ],
    sections: [
      {
        id: 'guide-a-part-and-its-name',
        title: 'A part, and its name',
        blocks: [
          { kind: 'list', isOrdered: false, items: [['one that goes on'], ['two, with ', { kbd: 'Ctrl' }]] },
          {
            kind: 'list',
            isOrdered: true,
            items: [
              ['first'],
              ['see ', { link: '#table', text: 'the table' }],
              [
                {
                  unpublished: ['not yet '],
                  published: ['from ', { link: 'https://store.example', text: 'the store' }],
                },
              ],
            ],
          },
          { kind: 'picture', name: 'it-shows', alt: 'What it shows' },
        ],
        sections: [
          {
            id: 'table',
            title: 'A table',
            blocks: [{ kind: 'table', head: [['A'], ['B']], rows: [[[{ code: 'x' }], ['1, 2']]] }],
            sections: [],
          },
        ],
      },
      {
        id: 'guide-another-part',
        title: 'Another part',
        blocks: [{ kind: 'code', text: 'KEY=value   # as it is\n\nNEXT=' }],
        sections: [],
      },
    ],
  })
})

test.each([
  ['a heading of another depth', '#### Deep'],
  ['a list in a list', '- one\n  - two'],
  ['a list of paragraphs', '- one\n\n  more\n- two'],
  ['a rule', '---'],
  ['HTML', '<b>words</b>'],
  ['HTML in a line', 'words <b>strong</b>'],
  ['a key that does not end', 'press <kbd>Ctrl'],
  ['another comment', 'words <!-- to do -->'],
  ['a picture in a line', 'words ![words](pictures/b.webp)'],
  ['a picture without words', '![](pictures/b.webp)'],
  ['a picture from elsewhere', '![words](https://a.example/b.webp)'],
  ['a link to a file', '[words](other.md)'],
  ['a link that is a script', '[words](javascript:alert)'],
  ['a bare link', 'words https://a.example'],
  ['emphasis', 'some *words*'],
  ['a mark that does not end', 'some `words'],
  ['a table without its rule', '| A | B |\n| 1 | 2\\_ |'],
  ['code of a language', '```ts\nlet a\n```'],
])('%s stops the build', (_what, text) => {
  expect(() => readGuide(`# Guide\n\n${text}`)).toThrow(/^Unsupported in a guide/)
})

test('a guide has one title, and begins with it', () => {
  expect(() => readGuide('words')).toThrow(/^Unsupported in a guide/)
  expect(() => readGuide('')).toThrow('no title')
  expect(() => readGuide('# Guide\n\n# Again')).toThrow(/^Unsupported in a guide/)
})

test.each(['host-guide', 'master-guide', 'zoom-setup'])('reads docs/%s.md, as the build does', (name) => {
  const text = readFileSync(`${import.meta.dirname}/../../../docs/${name}.md`, 'utf8')
  expect(readGuide(text).sections.length).toBeGreaterThan(3)
})
