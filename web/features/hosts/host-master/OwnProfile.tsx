import { Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { messageOf } from '../../../lib/api-client.ts'
import { ownProfile } from '../../../queries/own-profile.ts'
import { Loading } from '../../../ui/base/Loading.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Failed } from '../../../ui/Failed.tsx'
import { Page } from '../../../ui/Page.tsx'
import { useFailure } from '../../../ui/use-failure.ts'
import { ZoomMissing } from '../../../widgets/meeting/ZoomMissing.tsx'
import { HostDetails } from '../details/HostDetailsModal.tsx'
import { withoutReturnQuery } from '../zoom-connect/return-query.ts'
import { ProfileActions } from './ProfileActions.tsx'

export function OwnProfile() {
  const profile = useQuery(ownProfile)
  const failure = useFailure(profile)
  const [params, setParams] = useSearchParams()
  const host = profile.data?.data

  // Only masters connect Zoom; a host has no form for the result in the address.
  useEffect(() => {
    const left = withoutReturnQuery(params)
    if (left.size < params.size) setParams(left, { replace: true })
  }, [params, setParams])

  return (
    <Page
      title="Host Master"
      subtitle="Your own account, its room and its Zoom connection"
      actions={host ? <ProfileActions host={host} /> : null}
    >
      <ZoomMissing still="Your room works without it: users can sign in on their phones." />
      <Paper p="lg">
        {profile.data || failure ? null : <Loading />}
        {failure ? (
          <Failed error={failure} onRetry={() => void profile.refetch()} retrying={profile.isFetching}>
            {messageOf(failure, 'Failed to load data')}
          </Failed>
        ) : null}
        {profile.isSuccess && !host ? <Empty>No host data available</Empty> : null}
        {host ? <HostDetails host={host} /> : null}
      </Paper>
    </Page>
  )
}
