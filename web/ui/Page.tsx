import { Box, Group, Text, Title } from '@mantine/core'
import { type ReactNode, type Ref, useEffect } from 'react'
import classes from './Page.module.css'

type PageProps = {
  title: string
  subtitle?: ReactNode
  actions?: ReactNode
  /** Can take the focus when what had it goes. */
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** The frame of a panel's screen: its heading, the actions on the whole of it, and its content. */
export function Page({ title, subtitle, actions, heading, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])

  return (
    <div className={classes.page}>
      <Group component="header" justify="space-between" align="flex-end" gap="sm">
        <Box flex="1 1 18rem" miw={0}>
          <Title
            order={1}
            fz={{ base: '1.375rem', sm: 'h1' }}
            ref={heading}
            tabIndex={heading ? -1 : undefined}
            className={classes.title}
          >
            {title}
          </Title>
          {subtitle ? (
            <Text c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
              {subtitle}
            </Text>
          ) : null}
        </Box>
        {actions ? (
          <Group gap="xs" className="no-print">
            {actions}
          </Group>
        ) : null}
      </Group>
      {children}
    </div>
  )
}
