import { version } from '../../../package.json'
import { layOutReport } from '../../../shared/field-report.ts'
import type { FieldLog } from './field-log.ts'

/** The report is read by those who build Parley, so it is in English whatever the app's language is. */
export function writeReport(log: FieldLog, at: Date): string {
  return layOutReport('Field report of a phone', at, [
    {
      title: 'Versions',
      lines: [
        `Parley ${version}`,
        `Meeting SDK for Web ${log.sdkVersion ?? 'not loaded yet'}`,
        `Browser ${navigator.userAgent}`,
        `Window ${window.innerWidth} x ${window.innerHeight}, language ${navigator.language}`,
      ],
    },
    {
      title: 'Times in milliseconds',
      lines: [...log.durations].map(([what, times]) => `${what}: ${times.join(', ')}`),
    },
    {
      title: 'What happened, in seconds since the page was opened',
      lines: log.entries.map(({ at: ms, text, times }) => {
        const again = times > 1 ? ` (${times} times)` : ''
        return `${(ms / 1000).toFixed(2).padStart(9)}  ${text}${again}`
      }),
    },
    { title: 'Please add by hand', lines: BY_HAND },
  ])
}

const BY_HAND = [
  'Phone and system (such as iPhone 15, iOS 19.1):',
  'Sound heard after Join Audio (yes, no, late):',
  'Others heard you after Speak (yes, no, cut off):',
  'You were silent after Mute All (within a second, later, no):',
  'What the screen showed when it went wrong:',
]
