import { Anchor, Badge, Box, Button, Group, Loader, Paper, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconPlugConnected } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { site } from '../../../lib/site.ts'
import type { ZoomConnection, ZoomConnector } from './use-zoom-connection.ts'

type ZoomConnectProps = {
  connector: ZoomConnector
  email: string
  /** The message while the email is missing. */
  emailFirst: string
  /** The message before the first attempt. */
  idle?: string
  connectLabel?: string
  disabled?: boolean
}

/** The part of a host's form that connects its Zoom account. */
export function ZoomConnect(props: ZoomConnectProps) {
  const { connector, email, emailFirst, idle, connectLabel = 'Connect Zoom', disabled = false } = props
  const { connect, reset } = connector
  const connection = withoutStale(connector.connection, email, emailFirst)

  function handleConnect() {
    if (email.trim() === '') reset(emailFirst)
    else connect(email.trim())
  }

  return (
    <Paper
      component="section"
      shadow="none"
      p="md"
      bg={connection.state === 'connected' ? 'var(--good-soft)' : 'var(--surface-sunken)'}
      aria-labelledby="zoom-connect"
    >
      <Group justify="space-between" gap="md">
        <Box flex="1 1 16rem" miw={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
          <Group gap="xs">
            <Title order={3} fz="md" id="zoom-connect">
              Zoom account
            </Title>
            {site.demo_zoom ? <Badge color="quiet">Demo Zoom</Badge> : null}
          </Group>
          <div aria-live="polite">
            {connection.state === 'not-connected' && !connection.problem ? (
              <Text inherit c="dimmed">
                {idle ?? 'Optional. You can connect Zoom later.'}
              </Text>
            ) : null}
            {connection.state === 'not-connected' && connection.problem ? (
              <Result tone="bad" icon={<IconAlertTriangle size={16} aria-hidden="true" />}>
                {connection.problem}
              </Result>
            ) : null}
            {connection.state === 'connecting' ? (
              <Text inherit c="dimmed">
                Continue in the Zoom window, and press Allow there.
              </Text>
            ) : null}
            {connection.state === 'connected' ? (
              <>
                <Result tone="good" icon={<IconCheck size={16} aria-hidden="true" />}>
                  {connection.message ?? 'Connected'}
                </Result>
                <Text inherit c="var(--good)">
                  {connection.email}
                </Text>
              </>
            ) : null}
          </div>
          <Anchor
            fz="inherit"
            underline="always"
            href={`${site.public_url}/documentation#zoom-setup`}
            target="_blank"
            rel="noreferrer"
          >
            How to set up Zoom
          </Anchor>
        </Box>
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
          <Button
            variant="default"
            leftSection={<Loader size={14} aria-hidden="true" />}
            onClick={({ detail }) => {
              if (detail < 2) reset() // ignores the second click of a double click on Connect Zoom, which was here
            }}
          >
            Cancel connecting
          </Button>
        ) : null}
        {connection.state === 'connected' ? (
          <Button variant="default" disabled={disabled} onClick={() => reset()}>
            Disconnect
          </Button>
        ) : null}
      </Group>
    </Paper>
  )
}

/** Drops the message about a missing email once there is an email. */
function withoutStale(connection: ZoomConnection, email: string, emailFirst: string): ZoomConnection {
  const isStale = connection.state === 'not-connected' && connection.problem === emailFirst && email.trim() !== ''
  return isStale ? { state: 'not-connected' } : connection
}

type ResultProps = { tone: 'good' | 'bad'; icon: ReactNode; children: ReactNode }

function Result({ tone, icon, children }: ResultProps) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" fw={500} c={`var(--${tone})`}>
      <Box component="span" flex="none" mt={1}>
        {icon}
      </Box>
      {children}
    </Group>
  )
}
