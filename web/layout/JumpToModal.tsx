import { Modal, TextInput, UnstyledButton } from '@mantine/core'
import { IconArrowRight, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import classes from './JumpToModal.module.css'
import type { SidebarItem } from './Sidebar.tsx'

type JumpToModalProps = { items: SidebarItem[]; opened: boolean; onClose: () => void }

/** The header's search: a few letters of a page's name, Enter, and it is there. */
export function JumpToModal({ items, opened, onClose }: JumpToModalProps) {
  const navigate = useNavigate()
  const [words, setWords] = useState('')
  const [marked, setMarked] = useState(0)
  const found = items.filter((item) => item.label.toLowerCase().includes(words.trim().toLowerCase()))

  function handleClose() {
    setWords('')
    setMarked(0)
    onClose()
  }

  function go(item: SidebarItem | undefined) {
    if (!item) return
    handleClose()
    void navigate(item.to)
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key === 'Enter') go(found[marked])
    else if (event.key === 'ArrowDown') setMarked(Math.min(marked + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setMarked(Math.max(marked - 1, 0))
    else return
    event.preventDefault()
  }

  return (
    <Modal.Root opened={opened} onClose={handleClose} yOffset="12vh">
      <Modal.Overlay backgroundOpacity={0.5} color="#06141a" />
      <Modal.Content aria-label="Go to">
        <Modal.Body p="xs">
          <TextInput
            data-autofocus
            variant="unstyled"
            size="md"
            placeholder="Go to a page"
            aria-label="Go to a page"
            role="combobox"
            aria-expanded="true"
            aria-controls="jump-to-list"
            aria-activedescendant={found[marked] ? `jump-to-${marked}` : undefined}
            leftSection={<IconSearch size={18} stroke={1.75} aria-hidden="true" />}
            value={words}
            onChange={(event) => {
              setWords(event.currentTarget.value)
              setMarked(0)
            }}
            onKeyDown={handleKey}
          />
          <div id="jump-to-list" role="listbox" aria-label="Pages" className={classes.list}>
            {found.map((item, index) => (
              <UnstyledButton
                key={item.to}
                id={`jump-to-${index}`}
                role="option"
                aria-selected={index === marked}
                tabIndex={-1}
                className={classes.option}
                onMouseMove={() => setMarked(index)}
                onClick={() => go(item)}
              >
                <item.icon size={18} stroke={1.75} aria-hidden="true" />
                <span className={classes.label}>{item.label}</span>
                <IconArrowRight size={16} className={classes.arrow} aria-hidden="true" />
              </UnstyledButton>
            ))}
          </div>
          {found.length === 0 ? <p className={classes.none}>No page has that name.</p> : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
