import { useSession } from '../../../lib/session/session.ts'
import { AllHosts } from './AllHosts.tsx'
import { OwnProfile } from './OwnProfile.tsx'

/** A master sees all hosts here, a host only itself. */
export function HostMasterScreen() {
  return useSession().user?.role === 'master' ? <AllHosts /> : <OwnProfile />
}
