import { Badge, Box, Stack, Text, Tooltip } from '@mantine/core'
import { type Icon, IconLogout } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { lightToast } from '../../lib/light-toast.ts'
import { signOut } from '../../lib/session/sign-out.ts'
import { signInPath, site } from '../../lib/site.ts'
import { BrandMark } from '../../ui/base/BrandMark.tsx'
import { confirmLeave } from '../../ui/unsaved-work.tsx'
import classes from './Sidebar.module.css'

export type SidebarItem = { to: string; label: string; icon: Icon; hint?: string; synonyms?: string[] }

type SidebarProps = {
  title: string
  items: SidebarItem[]
  foot: ReactNode
  folded: boolean
  onNavigate?: () => void
}

export function Sidebar({ title, items, foot, folded, onNavigate }: SidebarProps) {
  const navigate = useNavigate()

  async function handleLogOut() {
    if (!(await confirmLeave()) || !(await signOut())) return
    lightToast.success('Logged out successfully')
    void navigate(signInPath(site.site), { replace: true })
  }

  return (
    <div className={classes.sidebar} data-folded={folded || undefined}>
      <Box px="xs" pb="lg">
        <BrandMark withName={!folded} />
      </Box>
      {folded ? null : (
        <Text fz={12} fw={600} c="var(--ink-soft)" px="sm" mb={6}>
          {title}
        </Text>
      )}
      <Stack component="nav" gap={2} aria-label={title}>
        {items.map((item) => (
          <Tooltip key={item.to} label={item.label} position="right" disabled={!folded}>
            <NavLink
              to={item.to}
              className={classes.item}
              aria-label={folded ? item.label : undefined}
              onClick={onNavigate}
            >
              <item.icon size={20} stroke={1.75} aria-hidden="true" />
              {folded ? null : (
                <span>
                  {item.label}
                  {item.hint ? (
                    <Text
                      component="span"
                      display="block"
                      fz={12}
                      fw={400}
                      lh={1.35}
                      c="var(--ink-soft)"
                      style={{ whiteSpace: 'normal' }}
                    >
                      {item.hint}
                    </Text>
                  ) : null}
                </span>
              )}
            </NavLink>
          </Tooltip>
        ))}
      </Stack>
      <Stack gap="xs" mt="auto" pt="md">
        {site.demo_zoom ? (
          <Badge
            variant="outline"
            color="var(--accent)"
            mx={folded ? 'auto' : 'sm'}
            style={{ borderStyle: 'dashed' }}
            title="A built-in stand-in for Zoom is used. No real Zoom account is touched."
          >
            {folded ? 'Demo' : 'Demo Zoom'}
          </Badge>
        ) : null}
        {foot}
        <Tooltip label="Log out" position="right" disabled={!folded}>
          <button
            type="button"
            className={classes.item}
            aria-label={folded ? 'Log out' : undefined}
            onClick={() => void handleLogOut()}
          >
            <IconLogout size={20} stroke={1.75} aria-hidden="true" />
            {folded ? null : <span>Log out</span>}
          </button>
        </Tooltip>
      </Stack>
    </div>
  )
}
