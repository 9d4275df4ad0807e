import { Button, Loader } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconPlugConnected } from '@tabler/icons-react'
import { site } from '../../lib/site.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { ZoomConnector } from './use-zoom-connection.ts'
import classes from './ZoomConnect.module.css'

type ZoomConnectProps = {
  connector: ZoomConnector
  email: string
  /** What is said while the e-mail is missing. */
  emailFirst: string
  /** What is said before anything was tried. */
  idle?: string
  connectLabel?: string
  disabled?: boolean
}

/** The part of a host's form that connects its Zoom account. */
export function ZoomConnect(props: ZoomConnectProps) {
  const { connector, email, emailFirst, idle, connectLabel = 'Connect Zoom', disabled = false } = props
  const { connection, connect, reset } = connector

  function handleConnect() {
    if (email.trim() === '') reset(emailFirst)
    else connect(email.trim())
  }

  return (
    <section className={classes.box} aria-labelledby="zoom-connect" data-state={connection.state}>
      <div className={classes.words}>
        <h3 id="zoom-connect" className={classes.title}>
          Zoom account
          {site.demo_zoom ? <StatusBadge tone="quiet">Demo Zoom</StatusBadge> : null}
        </h3>
        <div aria-live="polite">
          {connection.state === 'not-connected' && !connection.problem ? (
            <p className={classes.text}>{idle ?? 'Optional now. It can be connected later too.'}</p>
          ) : null}
          {connection.state === 'not-connected' && connection.problem ? (
            <p className={classes.problem}>
              <IconAlertTriangle size={16} aria-hidden="true" />
              {connection.problem}
            </p>
          ) : null}
          {connection.state === 'connecting' ? (
            <p className={classes.text}>Continue in the Zoom window, and press Allow there.</p>
          ) : null}
          {connection.state === 'connected' ? (
            <>
              <p className={classes.good}>
                <IconCheck size={16} aria-hidden="true" />
                {connection.message ?? 'Connected'}
              </p>
              <p className={classes.text}>{connection.email}</p>
            </>
          ) : null}
        </div>
        <a
          className={classes.guide}
          href={`${site.public_url}/documentation#zoom-setup`}
          target="_blank"
          rel="noreferrer"
        >
          How to set up Zoom
        </a>
      </div>
      {connection.state === 'not-connected' ? (
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={17} stroke={1.75} aria-hidden="true" />}
          disabled={disabled}
          onClick={handleConnect}
        >
          {connectLabel}
        </Button>
      ) : null}
      {connection.state === 'connecting' ? (
        <Button variant="default" leftSection={<Loader size={14} aria-hidden="true" />} onClick={() => reset()}>
          Cancel connecting
        </Button>
      ) : null}
      {connection.state === 'connected' ? (
        <Button variant="subtle" color="gray" disabled={disabled} onClick={() => reset()}>
          Disconnect
        </Button>
      ) : null}
    </section>
  )
}
