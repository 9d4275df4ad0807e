import { z } from 'zod'
import { answer } from './envelope.ts'

export const FieldReportAnswer = answer(
  z.object({
    file_name: z.string(),
    text: z.string().describe('Holds no names, addresses, tokens, passcodes or numbers of meetings.'),
  }),
)

export interface ReportSection {
  title: string
  lines: string[]
}

/** Lays out a report that a person reads, and that is attached where somebody asks for it. */
export function layOutReport(title: string, at: Date, sections: ReportSection[]): string {
  const parts = sections.map(({ title: name, lines }) => {
    const listed = lines.length > 0 ? lines : ['none']
    return `${name}\n${'-'.repeat(name.length)}\n${listed.join('\n')}\n`
  })
  const intro =
    `${title}\n${'='.repeat(title.length)}\nMade on ${clockOf(at)}. ` +
    'It holds no names, addresses, tokens, passcodes or numbers of meetings.\n'
  return [intro, ...parts].join('\n')
}

export const clockOf = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`

export const reportFileName = (what: string, at: Date): string =>
  `parley-${what}-${at.toISOString().slice(0, 16).replaceAll(':', '')}.txt`
