import { Tooltip } from '@mantine/core'
import { type Icon, IconLogout } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { signOut } from '../../lib/session/sign-out.ts'
import { signInPath, site } from '../../lib/site.ts'
import { BrandMark } from '../../ui/BrandMark.tsx'
import { toast } from '../../ui/toast.tsx'
import classes from './Sidebar.module.css'

export type SidebarItem = { to: string; label: string; icon: Icon; hint?: string }

type SidebarProps = {
  title: string
  items: SidebarItem[]
  foot: ReactNode
  folded: boolean
  onNavigate?: () => void
}

export function Sidebar({ title, items, foot, folded, onNavigate }: SidebarProps) {
  const navigate = useNavigate()

  function handleLogOut() {
    signOut()
    toast.success('Logged out successfully')
    void navigate(signInPath(site.site), { replace: true })
  }

  return (
    <div className={classes.sidebar} data-folded={folded || undefined}>
      <div className={classes.brand}>
        <BrandMark withName={!folded} />
      </div>
      {folded ? null : <p className={classes.title}>{title}</p>}
      <nav className={classes.items} aria-label={title}>
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
                <span className={classes.words}>
                  {item.label}
                  {item.hint ? <span className={classes.hint}>{item.hint}</span> : null}
                </span>
              )}
            </NavLink>
          </Tooltip>
        ))}
      </nav>
      <div className={classes.foot}>
        {site.demo_zoom ? (
          <p className={classes.demo} title="A built-in stand-in for Zoom is used. No real Zoom account is touched.">
            {folded ? 'Demo' : 'Demo Zoom'}
          </p>
        ) : null}
        {foot}
        <Tooltip label="Log out" position="right" disabled={!folded}>
          <button
            type="button"
            className={classes.item}
            aria-label={folded ? 'Log out' : undefined}
            onClick={handleLogOut}
          >
            <IconLogout size={20} stroke={1.75} aria-hidden="true" />
            {folded ? null : <span className={classes.words}>Log out</span>}
          </button>
        </Tooltip>
      </div>
    </div>
  )
}
