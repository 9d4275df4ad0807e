import { Button } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { type MouseEvent, useMemo } from 'react'
import { useStore } from 'zustand'
import { useClickGuard } from '../../../ui/use-click-guard.ts'
import { useFocusNeighbour } from '../../../ui/use-focus-neighbour.ts'
import { useTakeWordBack } from '../../../widgets/room-words/use-words.ts'
import { wordState, wordVerb } from '../../../widgets/room-words/word-state.ts'
import { type LiveRoomStore, wordsOf } from '../live-room/live-room-store.ts'
import { SEND_WORD_ID } from './SendWordButton.tsx'
import classes from './standing-words.module.css'

/** Lists the words that stand on phones, and who has read them. Shows nothing without any. */
export function StandingWords({ store, disabled }: { store: LiveRoomStore; disabled: boolean }) {
  const words = useStore(store, wordsOf)
  const { mutate, isPending, variables } = useTakeWordBack()
  const keepsFocus = useFocusNeighbour(SEND_WORD_ID)
  const ids = useMemo(() => words.map(({ id }) => id), [words])
  const isMeant = useClickGuard(ids)
  const list = (
    <ul className={classes.words} aria-label="Words on phones">
      {words.map((word) => (
        <li key={word.id} className={classes.word}>
          <IconMessage size={17} aria-hidden="true" />
          <p className={classes.text}>
            <span className={classes.to}>{word.user ? <bdi>{word.user.username}</bdi> : 'Everyone'}</span>{' '}
            <q>
              <bdi>{word.text}</bdi>
            </q>
          </p>
          <span className={classes.state}>{wordState(word)}</span>
          <Button
            variant="default"
            size="xs"
            className={classes.button}
            aria-label={`${wordVerb(word)} the word to ${word.user?.username ?? 'everyone'}`}
            disabled={disabled}
            loading={isPending && variables.id === word.id}
            onClick={(event: MouseEvent) => {
              if (isMeant(word.id, event)) mutate(word)
            }}
          >
            {wordVerb(word)}
          </Button>
        </li>
      ))}
    </ul>
  )
  return (
    <div ref={keepsFocus} className={classes.holder}>
      {words.length > 0 ? list : null}
    </div>
  )
}
