import { Box, Button, Group, Text, Title } from '@mantine/core'
import { IconLink, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import type { SignInLink } from '../../../shared/sign-in-links.ts'
import { messageOf } from '../../lib/api-client.ts'
import { useNewLink } from '../../lib/use-new-link.ts'
import { roomUsers } from '../../queries/room-users.ts'
import { makeSignInLink, openSignInLinks } from '../../queries/sign-in-links.ts'
import { formatMoment } from '../../ui/format-date.ts'
import { Notice } from '../../ui/Notice.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import classes from './invitation.module.css'
import { SendButtons } from './SendButtons.tsx'

/** A link that signs one user in without a password. */
export function OneTimeLink({ user: { id, username, is_active, device_id } }: { user: RoomUser }) {
  const { link, error, isMaking, make } = useNewLink((signal) => makeSignInLink(id, signal), roomUsers.queryKey)
  const openUntil = useQuery(openSignInLinks).data?.get(id)
  const end = useLinkEnd(link, openUntil)
  const name = <bdi>{username}</bdi>

  return (
    <Box
      component="section"
      mb={20}
      pt="md"
      style={{ borderTop: '1px solid var(--line)' }}
      aria-labelledby="one-time-link"
    >
      <Title order={3} size="h3" id="one-time-link">
        One-time link
      </Title>
      <Text size="sm" c="dimmed" mt={2}>
        Signs {name} in without a password, once and within 24 hours.
        {device_id === null ? '' : ' For a different phone, choose Switch phone first, then make the link.'}
      </Text>
      <div role="status">
        {link && end === null ? (
          <div className={classes.made} ref={showInDialog}>
            <QrCode text={link.url} label={`QR code of the one-time link for ${username}`} className={classes.code} />
            <div>
              <Text size="sm" fw={500}>
                Works once, until {formatMoment(link.expires_at)}. Anyone who has it can sign in as {name}, so send it
                to that person only.
              </Text>
              <p className={classes.link} dir="ltr">
                {link.url}
              </p>
              <Group gap="xs" mt="sm">
                <SendButtons
                  of={`the one-time link for ${username}`}
                  title="Sign-in link"
                  text={link.url}
                  copied="One-time link copied to clipboard"
                />
              </Group>
            </div>
          </div>
        ) : null}
      </div>
      {end === null ? null : (
        <Notice tone="warn" mt="sm">
          {end === 'replaced'
            ? 'A newer link was made for this user, so this one no longer works.'
            : 'This link no longer works: it was used or revoked, or has run out.'}
        </Notice>
      )}
      {openUntil === undefined || link || isMaking ? null : (
        <Text size="sm" mt="xs">
          A link that was made before is open until {formatMoment(openUntil)}. A new one replaces it.
        </Text>
      )}
      {error === null ? null : (
        <Notice tone="bad" mt="sm">
          {messageOf(error, 'Failed to make a one-time link. Please try again.')}
        </Notice>
      )}
      <Group gap="xs" mt="sm">
        <Button
          variant="default"
          leftSection={link ? <IconRefresh size={16} aria-hidden="true" /> : <IconLink size={16} aria-hidden="true" />}
          loading={isMaking}
          disabled={!is_active}
          onClick={make}
        >
          {link ? 'Make another one' : 'Make a one-time link'}
        </Button>
        {link && end === null ? (
          <Text component="span" size="sm" c="dimmed">
            This one then no longer works.
          </Text>
        ) : null}
      </Group>
    </Box>
  )
}

/** A new link would be below the edge of a low window. */
function showInDialog(made: HTMLElement | null) {
  made?.scrollIntoView({ block: 'nearest' })
}

/**
 * Explains why the link no longer works, judging by the list of open ones; null while it works. The list may predate the
 * link: then it has no link of this user, or an earlier one.
 */
function useLinkEnd(link: SignInLink | null, openUntil: string | undefined): 'replaced' | 'closed' | null {
  const [listed, setListed] = useState<SignInLink | null>(null)
  if (link === null || openUntil === link.expires_at) {
    if (listed !== link) setListed(link)
    return null
  }
  if (openUntil !== undefined && (listed === link || openUntil > link.expires_at)) return 'replaced'
  return listed === link ? 'closed' : null
}
