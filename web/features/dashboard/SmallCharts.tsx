import { Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Loading } from '../../ui/base/Loading.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { dashboardCharts } from './queries.ts'
import classes from './SmallCharts.module.css'

const ChartCards = lazy(async () => ({ default: (await import('./ChartCards.tsx')).ChartCards }))

/** Shows two small charts, whose library loads after the rest of the page. */
export function SmallCharts() {
  const query = useQuery(dashboardCharts)
  if (query.data)
    return (
      <Frame>
        <Suspense fallback={<Waiting />}>
          <ChartCards charts={query.data} />
        </Suspense>
      </Frame>
    )
  return (
    <Frame>
      {query.isError ? (
        <NotLoaded
          query={query}
          title="Failed to load the charts"
          text="The charts could not be fetched. Check the connection, then try again."
        />
      ) : (
        <Waiting />
      )}
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return <div className={classes.charts}>{children}</div>
}

function Waiting() {
  return (
    <>
      <Paper>
        <Loading label="Loading charts..." />
      </Paper>
      <Paper aria-hidden="true" />
    </>
  )
}
