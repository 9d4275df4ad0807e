import { Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../lib/api-client.ts'
import { Failed } from '../../ui/Failed.tsx'
import { Loading } from '../../ui/light/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { useFailure } from '../../ui/use-failure.ts'
import { AppInfoForm } from './AppInfoForm.tsx'
import { appInfo } from './queries.ts'

export function AppInfoScreen() {
  const query = useQuery(appInfo)
  const failure = useFailure(query)

  return (
    <Page title="App Info." subtitle="What your users see in the phone app, and how your own phone signs in">
      {query.data ? (
        <AppInfoForm info={query.data.appInfo} />
      ) : (
        <Paper p="lg">
          {failure ? (
            <Failed onRetry={() => void query.refetch()} retrying={query.isFetching}>
              {messageOf(failure, 'Failed to load data')}
            </Failed>
          ) : (
            <Loading />
          )}
        </Paper>
      )}
    </Page>
  )
}
