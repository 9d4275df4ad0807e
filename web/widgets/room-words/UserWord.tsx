import { Button, Group, Text } from '@mantine/core'
import type { StandingWord } from '../../../shared/room-words.ts'
import { PersonText } from '../../ui/PersonText.tsx'
import { useTakeWordBack } from './use-words.ts'
import { wordState, wordVerb } from './word-state.ts'

/** The word that stands for one user, in the panel about this user. */
export function UserWord({ word }: { word: StandingWord }) {
  const { mutate, isPending } = useTakeWordBack()
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between" align="flex-start">
      <Text size="sm" miw={0} style={{ overflowWrap: 'anywhere' }}>
        Word: “<PersonText text={word.text} wraps />”
        <Text span inherit c="dimmed">
          {' '}
          {wordState(word)}
        </Text>
      </Text>
      <Button variant="default" size="xs" flex="none" loading={isPending} onClick={() => mutate(word)}>
        {wordVerb(word)}
      </Button>
    </Group>
  )
}
