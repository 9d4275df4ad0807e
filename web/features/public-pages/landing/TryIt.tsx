import { Link } from 'react-router'
import { site } from '../../../lib/site.ts'
import classes from './landing.module.css'

export function TryIt() {
  return (
    <section className={classes.start} aria-label="Before you start">
      <div>
        <h2>Free to try</h2>
        <p>
          Parley is free software, under the MIT licence.{' '}
          {site.source_url ? (
            <>
              Its source code is at <a href={site.source_url}>{site.source_url}</a>.
            </>
          ) : (
            <>The operator of this site has its source code and can give you a copy.</>
          )}{' '}
          There, one command starts it on your own computer:
        </p>
        <pre>
          <code>npm run demo</code>
        </pre>
        <p>
          It brings sample users, a stand-in for Zoom and 36 simulated phones that speak and raise their hands. It needs
          Node.js and git: no sign-up, no payment, no Zoom account.
        </p>
      </div>
      <div>
        <h2>What it needs from Zoom</h2>
        <ul>
          <li>
            A Zoom account for each host. A free account allows 100 users for 40 minutes; a paid licence raises both
            limits.
          </li>
          <li>Cloud recording, which is part of the paid plans, if you want recordings.</li>
          <li>Half an hour of an administrator's time, once, to set Parley up in that account.</li>
          <li>Nothing from your users: they need no Zoom account.</li>
        </ul>
        <h3>What has not been tried yet</h3>
        <p>
          Joining a real Zoom meeting from real phones: so far the phone app has joined the stand-in alone. Users who
          join with Zoom's own app are neither seen nor muted by Parley.
        </p>
        <p>
          <Link to="/documentation#zoom-setup">How to set up Zoom</Link>
        </p>
      </div>
    </section>
  )
}
