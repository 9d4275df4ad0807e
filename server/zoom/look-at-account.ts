import type { Deps } from '../deps.ts'
import { accountWarnings, isAboutAccount } from './account-warnings.ts'
import { readUser, readUserSettings } from './calls.ts'
import { type Deadline, within, ZOOM_MS } from './deadline.ts'
import { isFault } from './zoom-error.ts'

/** What a host's Zoom account can do may change at Zoom, by its plan or its settings, and so may its PMI. */
export async function lookAtAccount(deps: Deps, host_id: string, deadline: Deadline = within(ZOOM_MS)): Promise<void> {
  const user = await deps.zoom.callFor(host_id, readUser, deadline)
  const settings = await deps.zoom.callFor(host_id, readUserSettings, deadline).catch((error: unknown) => {
    if (isFault(error, 'scope', 'refused')) return null // which is no reason not to look at the rest
    throw error
  })
  await deps.db.transaction().execute(async (tx) => {
    const link = await tx
      .selectFrom('zoom_links')
      .select(['warnings', 'scopes'])
      .where('host_id', '=', host_id)
      .where('zoom_user_id', '=', user.id)
      .forUpdate()
      .executeTakeFirst()
    if (!link) return // connected anew meanwhile
    const others = link.warnings.filter(({ code }) => !isAboutAccount(code))
    const warnings = JSON.stringify([...accountWarnings(user, settings, link.scopes), ...others])
    await tx
      .updateTable('zoom_links')
      .set({ warnings, pmi: user.pmi ?? null })
      .where('host_id', '=', host_id)
      .execute()
  })
}
