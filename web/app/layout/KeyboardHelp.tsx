import { Box, Group, Kbd, Stack, Text, Title } from '@mantine/core'
import { Fragment, useEffect } from 'react'
import { useShortcutsSetting } from '../../features/online-users/controls/RoomKeys.tsx'
import { useRights } from '../../lib/session/rights.ts'
import { useSession } from '../../lib/session/session.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { handlesOwnKeys } from '../../ui/handles-own-keys.ts'
import { topLayer } from '../../ui/layers.ts'
import { closeKeyboardHelp, openKeyboardHelp, useKeyboardHelp } from './keyboard-help.ts'
import { HELP_KEY, type ShortcutGroup, shortcutGroups } from './shortcuts.ts'

/** Opens the list of shortcuts by its key, unless that is typed into a field or something is open above the page. */
export function KeyboardHelp() {
  const { isOpen } = useKeyboardHelp()
  useEffect(() => {
    function handleKey(event: KeyboardEvent) {
      const { key, target, ctrlKey, metaKey, altKey, isComposing } = event
      if (key !== HELP_KEY || ctrlKey || metaKey || altKey || isComposing || event.defaultPrevented) return
      if (handlesOwnKeys(target) || topLayer()) return
      event.preventDefault()
      openKeyboardHelp()
    }
    document.addEventListener('keydown', handleKey)
    return () => {
      document.removeEventListener('keydown', handleKey)
      closeKeyboardHelp()
    }
  }, [])
  return isOpen ? <ShortcutsDialog /> : null
}

function ShortcutsDialog() {
  const role = useSession().user?.role
  const { managesUsers } = useRights()
  const groups = shortcutGroups({ hasRoom: role !== undefined && role !== 'master', hasRecordings: managesUsers })
  return (
    <Dialog onClose={closeKeyboardHelp} title="Keyboard shortcuts" size="md">
      <Stack gap="lg">
        {groups.map((group) => (
          <Shortcuts key={group.title} group={group} />
        ))}
      </Stack>
    </Dialog>
  )
}

function Shortcuts({ group: { title, isRoom = false, shortcuts } }: { group: ShortcutGroup }) {
  const [areRoomKeysOn] = useShortcutsSetting()
  return (
    <section aria-label={title}>
      <Title order={3} fz="md" mb={4}>
        {title}
      </Title>
      {isRoom && !areRoomKeysOn ? (
        <Text size="sm" c="dimmed">
          These keys are off. Turn them on below the raised hands.
        </Text>
      ) : (
        <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {shortcuts.map(({ keys, or, label }) => (
            <Group
              key={label}
              component="li"
              justify="space-between"
              wrap="nowrap"
              gap="md"
              py={6}
              fz="sm"
              style={{ borderTop: '1px solid var(--line)' }}
            >
              <span>{sentence(label)}</span>
              <Group component="span" gap={4} wrap="nowrap" flex="none">
                <Keys keys={keys} />
                {or ? (
                  <>
                    <Text span size="xs" c="dimmed" px={2}>
                      or
                    </Text>
                    <Keys keys={or} />
                  </>
                ) : null}
              </Group>
            </Group>
          ))}
        </Box>
      )}
    </section>
  )
}

function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 ? ' ' : null}
      <Kbd>{key}</Kbd>
    </Fragment>
  ))
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
