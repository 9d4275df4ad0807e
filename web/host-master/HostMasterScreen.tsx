import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../api.ts'
import { HostDetails } from '../hosts/HostDetailsModal.tsx'
import { Failed } from '../ui/Failed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { ProfileActions } from './ProfileActions.tsx'
import { ownProfile } from './queries.ts'

export function HostMasterScreen() {
  const profile = useQuery(ownProfile)
  const host = profile.data?.data

  return (
    <Page
      title="Host Master"
      subtitle="Your own account, its room and its Zoom connection"
      actions={host ? <ProfileActions host={host} /> : null}
    >
      <Panel padded>
        {profile.isPending ? <Loading /> : null}
        {profile.isError && !host ? (
          <Failed onRetry={() => void profile.refetch()} retrying={profile.isFetching}>
            {messageOf(profile.error, 'Failed to load data')}
          </Failed>
        ) : null}
        {host ? <HostDetails host={host} /> : null}
      </Panel>
    </Page>
  )
}
