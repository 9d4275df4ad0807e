import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../api.ts'
import { Failed } from '../ui/Failed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { AppInfoForm } from './AppInfoForm.tsx'
import { appInfo } from './queries.ts'

export function AppInfoScreen() {
  const { data: answer, isPending, isError, error, refetch, isFetching } = useQuery(appInfo)

  return (
    <Page title="App Info." subtitle="What your people see in the phone app, and how your own phone signs in">
      {answer ? (
        <AppInfoForm info={answer.appInfo} />
      ) : (
        <Panel padded>
          {isPending ? <Loading /> : null}
          {isError ? (
            <Failed onRetry={() => void refetch()} retrying={isFetching}>
              {messageOf(error, 'Failed to load data')}
            </Failed>
          ) : null}
        </Panel>
      )}
    </Page>
  )
}
