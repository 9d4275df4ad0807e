import { useEffect, useRef } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { PUBLIC_PAGES } from '../../../shared/pages.ts'
import { site } from '../../lib/site.ts'
import { BrandMark } from '../../ui/base/BrandMark.tsx'
import { SchemeToggle } from '../../ui/base/SchemeToggle.tsx'
import classes from './PublicLayout.module.css'
import { useArrival } from './use-arrival.ts'

/** The frame of every public page: the navigation above, the footer below. */
export function PublicLayout() {
  const { pathname } = useLocation()
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  const content = useRef<HTMLElement>(null)
  useArrival(content)
  const title = PUBLIC_PAGES[path]?.title ?? 'Parley'
  useEffect(() => {
    document.title = title
  }, [title])

  const current = (of: string) => ({ to: of, 'aria-current': of === path ? ('page' as const) : undefined })
  return (
    <div className={classes.page}>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <header>
        <Link to="/" className={classes.brand} aria-label="Parley home">
          <BrandMark />
        </Link>
        <nav aria-label="Main" className={classes.nav}>
          <Link {...current('/')}>HOME</Link>
          <a href={`${site.host_url}/login`}>LOGIN</a>
          <Link {...current('/documentation')}>DOCS</Link>
          <Link {...current('/support')}>SUPPORT</Link>
        </nav>
        <SchemeToggle />
      </header>
      <main id="content" tabIndex={-1} ref={content}>
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}

function Footer() {
  return (
    <footer>
      <nav aria-label="Footer" className={classes.links}>
        <Link to="/documentation">Documentation</Link>
        <Link to="/support">Support</Link>
        {site.support_email ? <a href={`mailto:${site.support_email}`}>Contact Us</a> : null}
        <Link to="/terms">Terms of Service</Link>
        <Link to="/policy">Privacy Policy</Link>
        <a href={`${site.host_url}/login`}>Host Login</a>
        <a href={`${site.master_url}/master-login`}>Admin Panel</a>
      </nav>
      <p>
        Parley is an independent tool that works with Zoom through its public API. It is not affiliated with, endorsed
        by or sponsored by Zoom.
      </p>
      <p>© 2025 Parley. Last updated July 22, 2025.</p>
    </footer>
  )
}
