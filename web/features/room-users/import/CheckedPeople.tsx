import { Button, Progress } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import type { CheckedPerson } from './dry-run.ts'
import classes from './ImportModal.module.css'

/** More would say nothing new; rows with a fault come first, so that none of those is missed before so many. */
const SHOWN = 200

type CheckedPeopleProps = {
  checked: readonly CheckedPerson[]
  /** How many have been added so far; null while none is being added. */
  done: number | null
  onBack: () => void
  onStop: () => void
  onAdd: (people: CheckedPerson[]) => void
}

/** What an import would do, row by row, with the fault of each row that it would leave out. */
export function CheckedPeople({ checked, done, onBack, onStop, onAdd }: CheckedPeopleProps) {
  const faulty = checked.filter(({ fault }) => fault !== null)
  const good = checked.filter(({ fault }) => fault === null)
  const shown = [...faulty, ...good].slice(0, SHOWN)
  const isRunning = done !== null

  return (
    <div className={classes.parts}>
      <p className={classes.words} role="status">
        <b>{people(good.length)}</b> will be added.
        {faulty.length > 0 ? (
          <>
            {' '}
            <b>{faulty.length === 1 ? '1 row' : `${faulty.length} rows`}</b> cannot be, and will be left out.
          </>
        ) : null}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes.rows} tabIndex={0} aria-label="The list as it would be added">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Username</th>
              <th scope="col">Result</th>
              <th scope="col">User ID</th>
              <th scope="col">Password</th>
              <th scope="col">Reference</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ line, user, isGenerated, fault }) => (
              <tr key={line} data-faulty={fault !== null || undefined}>
                <td>{line}</td>
                <td className={classes.name}>{user.username}</td>
                <td className={classes.result}>
                  {fault === null ? (
                    <StatusBadge tone="good" icon={<IconCheck size={13} />}>
                      Will be added
                    </StatusBadge>
                  ) : (
                    <span className={classes.fault}>
                      <IconAlertTriangle size={15} stroke={1.9} aria-hidden="true" />
                      {fault}
                    </span>
                  )}
                </td>
                <td>{user.user_id}</td>
                <td>{isGenerated ? <span className={classes.soft}>made up</span> : '••••••'}</td>
                <td>{user.reference}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {checked.length > shown.length ? (
        <p className={classes.soft}>and {(checked.length - shown.length).toLocaleString('en')} more rows</p>
      ) : null}
      {isRunning ? (
        <div role="status" className={classes.words}>
          Added {done} of {good.length}
          <Progress value={(done / Math.max(1, good.length)) * 100} aria-label="Import" mt={6} />
        </div>
      ) : null}
      <div className={classes.buttons}>
        {isRunning ? (
          <Button variant="default" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        )}
        <Button disabled={good.length === 0} loading={isRunning} onClick={() => onAdd(good)}>
          Add {people(good.length)}
        </Button>
      </div>
    </div>
  )
}

const people = (count: number) => (count === 1 ? '1 user' : `${count.toLocaleString('en')} users`)
