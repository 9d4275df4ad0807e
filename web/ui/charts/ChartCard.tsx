import { Box, Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconDownload, IconTable } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import classes from './ChartCard.module.css'
import { TableFrame } from './TableFrame.tsx'

type ChartCardProps = {
  title: string
  /** The chart in words. */
  summary: ReactNode
  /** The chart; none if there is nothing to draw. */
  children?: ReactNode
  table?: ReactNode
  onDownload?: () => void
  wide?: boolean
}

/** A chart with its meaning in words, its numbers as a table on demand, and as a file. */
export function ChartCard({ title, summary, children, table, onDownload, wide = false }: ChartCardProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Paper component="section" aria-labelledby={id} className={classes.card} data-wide={wide || undefined}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={2} fz="md" id={id} className={classes.title}>
          {title}
        </Title>
        {children ? (
          <Group gap={4} className="no-print">
            {table ? (
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconTable size={16} stroke={1.75} aria-hidden="true" />}
                aria-expanded={isOpen}
                aria-label={`Table of ${title}`}
                onClick={() => setIsOpen(!isOpen)}
              >
                Table
              </Button>
            ) : null}
            {onDownload ? (
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
                aria-label={`CSV of ${title}`}
                onClick={onDownload}
              >
                CSV
              </Button>
            ) : null}
          </Group>
        ) : null}
      </Group>
      <Text c="dimmed" size="sm" maw="44rem">
        {summary}
      </Text>
      {children ? <div className={classes.chart}>{children}</div> : null}
      {isOpen && table ? (
        <Box mt="0.875rem">
          <TableFrame label={`${title}, as a table`}>{table}</TableFrame>
        </Box>
      ) : null}
    </Paper>
  )
}

/** Puts cards in two columns where there is room. */
export function ChartGrid({ children }: { children: ReactNode }) {
  return <div className={classes.grid}>{children}</div>
}
