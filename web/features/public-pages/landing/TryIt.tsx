import { Link } from 'react-router'
import classes from './landing.module.css'

export function TryIt() {
  return (
    <section className={classes.start} aria-label="Before you start">
      <div>
        <h2>Free to try</h2>
        <p>In a copy of the source code, one command starts Parley on your own computer:</p>
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
        <p>
          <Link to="/documentation#zoom-setup">How to set up Zoom</Link>
        </p>
      </div>
    </section>
  )
}
