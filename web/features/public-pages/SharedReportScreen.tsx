import { IconPrinter } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { type SharedReport, SharedReportAnswer } from '../../../shared/report-links.ts'
import { ApiError, api, messageOf } from '../../lib/api-client.ts'
import { formatClock } from '../../lib/format-clock.ts'
import { formatSpan } from '../../lib/periods.ts'
import { ownTimeZoneWords } from '../../lib/time-zone.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Loading } from '../../ui/base/Loading.tsx'
import { formatMoment, formatTime } from '../../ui/format-date.ts'
import { meetingLength, meetingTitle } from '../../widgets/meeting/meeting-words.ts'
import classes from './SharedReport.module.css'

type Found = { report: SharedReport } | { failure: string; isInvalid: boolean }

/** The token stays in the fragment, which reaches no server, so that the page can be loaded again. */
async function read(signal: AbortSignal): Promise<Found> {
  const token = window.location.hash.slice(1)
  if (token === '') return { failure: '', isInvalid: true }
  try {
    const options = { isSecret: true, signal }
    return { report: (await api(SharedReportAnswer, 'POST', '/shared-report', { token }, options)).data }
  } catch (error) {
    const isInvalid = error instanceof ApiError && (error.code === 'link_invalid' || error.status === 422)
    return { failure: messageOf(error, 'The report could not be loaded'), isInvalid }
  }
}

/** Shows a meeting's report to whoever has its link. */
export function SharedReportScreen() {
  const [attempt, setAttempt] = useState(0)
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => {
    void attempt // Try again reads once more
    const closing = new AbortController()
    void read(closing.signal).then((result) => closing.signal.aborted || setFound(result))
    const reload = () => window.location.reload()
    window.addEventListener('hashchange', reload)
    return () => {
      closing.abort()
      window.removeEventListener('hashchange', reload)
    }
  }, [attempt])

  if (found === null) return <Loading fullPage />
  if ('report' in found) return <Report report={found.report} />
  if (found.isInvalid)
    return (
      <div className={classes.report}>
        <h1>This link does not work</h1>
        <p>It has ended, or is not complete. Please ask the host of the room for another one.</p>
      </div>
    )
  return (
    <div className={classes.report} role="alert">
      <h1>The report could not be loaded</h1>
      <p>{found.failure}</p>
      <Button look="filled" size="large" onClick={() => setAttempt(attempt + 1)}>
        Try again
      </Button>
    </div>
  )
}

/** Browsers print the address in the foot of a page: whoever holds the paper would have the link. */
function usePrintWithoutToken() {
  useEffect(() => {
    let hash = ''
    const replace = (fragment: string) =>
      window.history.replaceState(window.history.state, '', `${window.location.pathname}${fragment}`)
    const handleBefore = () => {
      hash ||= window.location.hash
      replace('')
    }
    const handleAfter = () => {
      replace(hash)
      hash = ''
    }
    window.addEventListener('beforeprint', handleBefore)
    window.addEventListener('afterprint', handleAfter)
    return () => {
      window.removeEventListener('beforeprint', handleBefore)
      window.removeEventListener('afterprint', handleAfter)
    }
  }, [])
}

function Report({ report }: { report: SharedReport }) {
  usePrintWithoutToken()
  const { room_name, meeting, users, absent, speakers, hands, expires_at } = report
  return (
    <article className={classes.report}>
      <header>
        <div>
          <p className={classes.room}>{room_name}</p>
          <h1>{meetingTitle(meeting)}</h1>
          <p className={classes.soft}>
            Times in {ownTimeZoneWords()}. This link ends {formatMoment(expires_at)}.
          </p>
        </div>
        <Button size="large" icon={IconPrinter} onClick={() => window.print()}>
          Print
        </Button>
      </header>
      <dl>
        <Figure label="Attended" value={meeting.users.toLocaleString('en')} />
        <Figure label="Most at one time" value={meeting.peak.toLocaleString('en')} />
        <Figure label="Length" value={meetingLength(meeting, Date.now())} />
        <Figure label="Time spoken" value={formatClock(meeting.spoke_seconds)} />
        <Figure label="Recordings" value={meeting.recordings.toLocaleString('en')} />
      </dl>
      {meeting.note ? (
        <section>
          <h2>Note</h2>
          <p className={classes.note}>{meeting.note}</p>
        </section>
      ) : null}
      <Rows
        title="Who spoke"
        heads={['Name', 'Time spoken']}
        rows={speakers.map((one) => [one.username, formatClock(one.spoke_seconds)])}
        none="No one spoke in this meeting."
      />
      <Rows
        title="Hands that were not called"
        heads={['Name', 'Raised at', 'Waited']}
        rows={hands.map((one) => [one.username, formatTime(one.raised_at), formatClock(one.waited_seconds)])}
        none="No hands were left waiting."
      />
      <Rows
        title="Who came"
        heads={['Name', 'Arrived', 'Left', 'Present']}
        rows={users.map((one) => [
          one.username,
          timeAnd(one.first_joined, one.late_seconds, 'late'),
          one.last_left ? timeAnd(one.last_left, one.early_seconds, 'early') : '–',
          formatSpan(one.total_seconds),
        ])}
        none="No one attended this meeting."
      />
      <Rows
        title="Who was absent"
        heads={['Name']}
        rows={absent.map(({ username }) => [username])}
        none="No one was absent."
      />
    </article>
  )
}

const timeAnd = (time: string, seconds: number | null, how: string) =>
  seconds === null ? formatTime(time) : `${formatTime(time)}, ${formatSpan(seconds)} ${how}`

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

type RowsProps = { title: string; heads: string[]; rows: string[][]; none: ReactNode }

function Rows({ title, heads, rows, none }: RowsProps) {
  return (
    <section>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className={classes.soft}>{none}</p>
      ) : (
        <table aria-label={title}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no ids, and never change
              <tr key={index}>
                {cells.map((cell, at) => (
                  <td key={heads[at]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
