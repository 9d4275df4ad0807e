import { IconAlertTriangle, IconArrowRight, IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AppVersions } from '../../../shared/dashboard.ts'
import { ownProfile } from '../../lib/queries/own-profile.ts'
import { Failed } from '../../ui/Failed.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useFailure } from '../../ui/use-failure.ts'
import classes from './GoLive.module.css'
import { type Check, goLiveChecks } from './go-live.ts'

const icons = { good: IconCheck, warn: IconAlertTriangle, bad: IconX }
const words = { good: 'In order', warn: 'Look at this', bad: 'In the way' }

/** What stands between the host and a good meeting, and what to do about each. */
export function GoLive({ versions }: { versions: AppVersions }) {
  const query = useQuery(ownProfile)
  const { data: answer } = query
  const failure = useFailure(query)
  const checks = answer ? goLiveChecks(answer.data, versions, Date.now()) : []

  return (
    <section className={classes.section} aria-labelledby="go-live">
      <div className={classes.head}>
        <h2 id="go-live" className={classes.title}>
          Ready to go live?
        </h2>
        {answer ? <Outcome checks={checks} /> : null}
      </div>
      {answer || failure ? null : <Loading label="Checking..." />}
      {failure ? (
        <Failed title="The check could not be made" onRetry={() => void query.refetch()} retrying={query.isFetching}>
          Check the connection, then try again.
        </Failed>
      ) : null}
      <ul className={classes.checks}>
        {checks.map((check) => (
          <Line key={check.title} check={check} />
        ))}
      </ul>
    </section>
  )
}

function Outcome({ checks }: { checks: Check[] }) {
  const open = checks.filter(({ tone }) => tone !== 'good').length
  if (open === 0) return <StatusBadge tone="good">All in order</StatusBadge>
  const isBad = checks.some(({ tone }) => tone === 'bad')
  return (
    <StatusBadge tone={isBad ? 'bad' : 'warn'}>{open === 1 ? '1 thing to do' : `${open} things to do`}</StatusBadge>
  )
}

function Line({ check: { tone, title, advice, link } }: { check: Check }) {
  const Icon = icons[tone]
  return (
    <li className={classes.check} data-tone={tone}>
      <span className={classes.icon} role="img" aria-label={words[tone]}>
        <Icon size={16} stroke={2.2} aria-hidden="true" />
      </span>
      <div className={classes.words}>
        <p className={classes.name}>{title}</p>
        {advice ? <p className={classes.advice}>{advice}</p> : null}
      </div>
      {link ? (
        <Link className={classes.link} to={link.to}>
          {link.label}
          <IconArrowRight size={15} aria-hidden="true" />
        </Link>
      ) : null}
    </li>
  )
}
