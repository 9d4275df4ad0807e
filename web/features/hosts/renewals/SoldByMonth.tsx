import { Group, NativeSelect, Paper, Table, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SOLD_MONTHS_DEFAULT, type SoldMonth } from '../../../../shared/renewals.ts'
import { monthsText } from '../../../../shared/subscription-display.ts'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { sold } from './queries.ts'
import classes from './SoldByMonth.module.css'

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const SHORT_MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })

const COUNTS = [
  ['months_sold', 'Months sold'],
  ['new', 'New'],
  ['extensions', 'Extensions'],
  ['cancelled', 'Cancelled'],
] as const

/** Plots the months sold in each month of UTC, with all counts in a table beside it. */
export function SoldByMonth() {
  const [months, setMonths] = useState(SOLD_MONTHS_DEFAULT)
  const query = useQuery(sold(months))
  return (
    <section aria-labelledby="sold-by-month">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz="md" id="sold-by-month">
          Sold by month
        </Title>
        <NativeSelect
          aria-label="Months to show"
          value={String(months)}
          data={[12, 24, 60].map((count) => ({ value: String(count), label: `Last ${monthsText(count)}` }))}
          onChange={({ currentTarget: { value } }) => setMonths(Number(value))}
        />
      </Group>
      {query.data ? (
        <Sold months={query.data} />
      ) : (
        <NotLoaded query={query} loading="Loading sales..." title="Failed to load the sales" />
      )}
    </section>
  )
}

function Sold({ months }: { months: SoldMonth[] }) {
  return (
    <div className={classes.sold}>
      <Paper p="lg">
        <Plot months={months} />
      </Paper>
      <Paper className={classes.table}>
        <Table aria-labelledby="sold-by-month" fz="xs" horizontalSpacing={6} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Month</Table.Th>
              {COUNTS.map(([count, label]) => (
                <Table.Th key={count} scope="col" ta="end">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {months.toReversed().map((month) => (
              <Table.Tr key={month.month}>
                <Table.Th scope="row" fw={400} bg="transparent" style={{ whiteSpace: 'nowrap' }}>
                  {MONTH.format(new Date(month.month))}
                </Table.Th>
                {COUNTS.map(([count]) => (
                  <Table.Td key={count} ta="end" c={month[count] === 0 ? 'dimmed' : undefined}>
                    {month[count]}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </div>
  )
}

/** Is hidden from screen readers, for which the table has the same numbers. */
function Plot({ months }: { months: SoldMonth[] }) {
  const isDense = months.length > 12
  const highest = Math.max(1, ...months.map(({ months_sold }) => months_sold))
  return (
    <div className={classes.plot} data-dense={isDense || undefined} aria-hidden="true">
      {months.map(({ month, months_sold }) => (
        <div key={month} className={classes.month} title={`${MONTH.format(new Date(month))}: ${months_sold}`}>
          <span className={classes.count}>{months_sold === 0 ? null : months_sold}</span>
          <span className={classes.bar} style={{ height: `${(Math.max(0, months_sold) / highest) * 12}rem` }} />
          <span className={classes.label}>{isDense ? yearOf(month) : SHORT_MONTH.format(new Date(month))}</span>
        </div>
      ))}
    </div>
  )
}

/** Names a year below its January, where all months would not fit. */
const yearOf = (month: string) => (month.endsWith('-01') ? month.slice(0, 4) : '\u00a0')
