import { useQuery } from '@tanstack/react-query'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { AppInfoForm } from './AppInfoForm.tsx'
import { appInfo } from './queries.ts'

export function AppInfoScreen() {
  const query = useQuery(appInfo)

  return (
    <Page title="App Info." subtitle="What your users see in the phone app, and how your own phone signs in">
      {query.data ? (
        <AppInfoForm info={query.data.appInfo} />
      ) : (
        <NotLoaded
          query={query}
          loading="Loading app information..."
          title="Failed to load app information"
          text="Check the connection, then try again."
        />
      )}
    </Page>
  )
}
