import { Drawer, Stack } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { ModalsProvider } from '@mantine/modals'
import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'
import { z } from 'zod'
import { ConfirmIdentity } from '../../features/account/ConfirmIdentity.tsx'
import { useLayer } from '../../ui/layers.ts'
import { LeaveGuard } from '../../ui/unsaved-work.tsx'
import { guardIntervalOf } from '../../ui/use-click-guard.ts'
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
  /** Stands above every page. */
  notice?: ReactNode
  /** Changes with the height of the notice, which moves the page. */
  noticeHeight?: string
  /** Lets the header's search find people, beside the pages. */
  findPeople?: PeopleSearch
}

export const PAGE_ID = 'content'
const NONE: SidebarItem[] = []
const Folded = z.boolean()

/** A panel: the sidebar (a drawer on a narrow screen), the header, and the page. */
export function Shell({ title, items, accountItems = NONE, foot, findPeople, notice, noticeHeight = '' }: ShellProps) {
  const [folded, setFolded] = useStored('parley.sidebar-folded', Folded, false)
  const [drawerOpen, drawer] = useDisclosure(false)
  const narrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false })
  const { pathname } = useLocation()
  const refuseMoved = useMoveGuard(noticeHeight)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of page closes the drawer
  useEffect(() => drawer.close(), [pathname])
  useLayer(Boolean(narrow) && drawerOpen, drawer.close)

  return (
    <ModalsProvider>
      <LeaveGuard />
      <ConfirmIdentity />
      <a className="skip-link" href={`#${PAGE_ID}`}>
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
          <main id={PAGE_ID} tabIndex={-1} className={classes.content} onClickCapture={refuseMoved}>
            {notice}
            <Outlet />
          </main>
        </Stack>
      </div>
    </ModalsProvider>
  )
}

/** Refuses clicks for a moment after the page has moved by itself: they were meant for what stood there before. */
function useMoveGuard(layout: string): (event: MouseEvent) => void {
  const last = useRef({ layout, movedAt: -Infinity })

  useLayoutEffect(() => {
    if (layout !== last.current.layout) last.current = { layout, movedAt: performance.now() }
  }, [layout])

  return (event) => {
    const isKey = event.detail === 0 // it follows the focus, which moves with the page
    if (isKey || performance.now() - last.current.movedAt >= guardIntervalOf(event.detail)) return
    event.preventDefault()
    event.stopPropagation()
  }
}
