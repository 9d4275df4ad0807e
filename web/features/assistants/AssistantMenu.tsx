import { ActionIcon, Menu } from '@mantine/core'
import { IconDotsVertical, IconPencil, IconShieldOff } from '@tabler/icons-react'
import { useState } from 'react'
import type { Assistant } from '../../../shared/assistants.ts'
import { menuProps } from '../../ui/menu-props.ts'
import { RenameDialog } from './RenameDialog.tsx'

type AssistantMenuProps = { assistant: Assistant; onRemoveFactor: () => void }

/** The menu of what is seldom needed. */
export function AssistantMenu({ assistant, onRemoveFactor }: AssistantMenuProps) {
  const [isRenaming, setRenaming] = useState(false)
  return (
    <>
      <Menu position="bottom-end" {...menuProps} width={300}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={`More actions for ${assistant.name}`} title="More">
            <IconDotsVertical size={18} stroke={1.75} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPencil size={17} stroke={1.75} aria-hidden="true" />}
            onClick={() => setRenaming(true)}
          >
            Rename
          </Menu.Item>
          {assistant.has_second_factor ? (
            <Menu.Item
              leftSection={<IconShieldOff size={17} stroke={1.75} aria-hidden="true" />}
              onClick={onRemoveFactor}
            >
              New link, without second factor
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {isRenaming ? <RenameDialog assistant={assistant} onClose={() => setRenaming(false)} /> : null}
    </>
  )
}
