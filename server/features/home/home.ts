import { BUSIEST_ROOMS, HOME_RENEWAL_DAYS, type Home } from '../../../shared/home.ts'
import { isZoomInTrouble } from '../../../shared/hosts.ts'
import type { Deps } from '../../deps.ts'
import { listHosts } from '../hosts/hosts.ts'
import { listRenewals } from '../renewals/renewals.ts'
import { listRoomsInUse } from '../rooms/rooms-in-use.ts'
import { countOnline } from './count-online.ts'
import { countZoomErrors } from './count-zoom-errors.ts'

/** Reads the numbers of a master's first page. The lists to which they lead are made from the same hosts. */
export async function readHome(deps: Deps): Promise<Home> {
  await deps.stays.flush()
  const rooms = await listRoomsInUse(deps)
  const hosts = await listHosts(deps, false)
  const due = await listRenewals(deps, HOME_RENEWAL_DAYS)
  const ended = due.filter(({ subscription_status }) => subscription_status === 'expired').length
  const unarchived = hosts.filter(({ unarchived_recordings }) => unarchived_recordings > 0)
  return {
    rooms: {
      live: rooms.length,
      meetings: rooms.filter(({ has_meeting }) => has_meeting).length,
      users: rooms.reduce((sum, { users }) => sum + users, 0),
      busiest: rooms.slice(0, BUSIEST_ROOMS),
    },
    renewals: { ending: due.length - ended, ended },
    zoom_in_trouble: hosts.filter(isZoomInTrouble).length,
    unarchived: {
      recordings: unarchived.reduce((sum, host) => sum + host.unarchived_recordings, 0),
      hosts: unarchived.length,
    },
    online: await countOnline(deps),
    zoom_errors: await countZoomErrors(deps),
  }
}
