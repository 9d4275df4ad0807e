import { Drawer, Stack } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { ModalsProvider } from '@mantine/modals'
import { type ReactNode, useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { z } from 'zod'
import { ConfirmIdentity } from '../../features/account/ConfirmIdentity.tsx'
import { useLayer } from '../../ui/layers.ts'
import { LeaveGuard } from '../../ui/unsaved-work.tsx'
import { useStored } from '../../ui/use-stored.ts'
import type { PeopleSearch } from './CommandPalette.tsx'
import { Header } from './Header.tsx'
import classes from './Shell.module.css'
import { Sidebar, type SidebarItem } from './Sidebar.tsx'

type ShellProps = {
  title: string
  items: SidebarItem[]
  /** The menu at the right of the header, which is missing if there are no items. */
  accountItems?: SidebarItem[]
  /** Content above Log out, such as the signed-in user. */
  foot: (folded: boolean) => ReactNode
  /** Lets the header's search find people, beside the pages. */
  findPeople?: PeopleSearch
}

const NONE: SidebarItem[] = []
const Folded = z.boolean()

/** A panel: the sidebar (a drawer on a narrow screen), the header, and the page. */
export function Shell({ title, items, accountItems = NONE, foot, findPeople }: ShellProps) {
  const [folded, setFolded] = useStored('parley.sidebar-folded', Folded, false)
  const [drawerOpen, drawer] = useDisclosure(false)
  const narrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false })
  const { pathname } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of page closes the drawer
  useEffect(() => drawer.close(), [pathname])
  useLayer(Boolean(narrow) && drawerOpen, drawer.close)

  return (
    <ModalsProvider>
      <LeaveGuard />
      <ConfirmIdentity />
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <div className={classes.shell} data-folded={(!narrow && folded) || undefined}>
        {narrow ? (
          <Drawer.Root
            opened={drawerOpen}
            onClose={drawer.close}
            size={288}
            styles={{ content: { background: 'var(--ink)' }, body: { height: '100%', padding: 0 } }}
          >
            <Drawer.Overlay backgroundOpacity={0.5} color="#06141a" />
            <Drawer.Content aria-label={title}>
              <Drawer.Body>
                <Sidebar title={title} items={items} foot={foot(false)} folded={false} onNavigate={drawer.close} />
              </Drawer.Body>
            </Drawer.Content>
          </Drawer.Root>
        ) : (
          <aside className={`no-print ${classes.side}`}>
            <Sidebar title={title} items={items} foot={foot(folded)} folded={folded} />
          </aside>
        )}
        <Stack gap={0} miw={0}>
          <Header
            items={items}
            accountItems={accountItems}
            findPeople={findPeople}
            menuOpen={narrow ? drawerOpen : !folded}
            onMenu={() => (narrow ? drawer.toggle() : setFolded(!folded))}
          />
          <main id="content" tabIndex={-1} className={classes.content}>
            <Outlet />
          </main>
        </Stack>
      </div>
    </ModalsProvider>
  )
}
