import { IconAlertTriangle, IconCheck, IconMessage, IconThumbDown, IconThumbUp, IconX } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import type { Hearing, PhoneWord } from '../../../shared/phone-words.ts'
import { Button } from '../../ui/base/Button.tsx'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import { useSettledTaps } from '../ui/use-settled-taps.ts'
import { useTranslate } from '../words/language.ts'
import type { RoomSession } from './room-session.ts'
import classes from './WordCards.module.css'

type WordCardsProps = {
  words: readonly PhoneWord[] | undefined
  session: RoomSession
  /** Called when a word that had the focus has gone. */
  onRead: () => void
}

/** Shows what the host says to the room or to this user, until it is read. Stays in sight while scrolling. */
export function WordCards({ words = [], session, onRead }: WordCardsProps) {
  const ignoreLateTap = useSettledTaps(words.map(({ id }) => id).join(' '))
  return (
    <div className={classes.words} aria-live="polite" onClickCapture={ignoreLateTap}>
      {words.map((word) => (
        <WordCard key={word.id} word={word} session={session} onRead={onRead} />
      ))}
    </div>
  )
}

type Choice = Hearing | 'read'

function WordCard({ word, session, onRead }: { word: PhoneWord } & Pick<WordCardsProps, 'session' | 'onRead'>) {
  const t = useTranslate()
  const id = useId()
  const card = useRef<HTMLElement>(null)
  const wanted = useRef<Choice>(null)
  const [busy, setBusy] = useState<Choice | null>(null)
  const [hasFailed, setFailed] = useState(false)

  /** Sends one choice after the other, since the last one counts; of those that wait, only the last. */
  async function confirm(choice: Choice) {
    const isSending = wanted.current !== null
    wanted.current = choice
    if (isSending) return
    setFailed(false)
    const hadFocus = card.current?.contains(document.activeElement) ?? false
    let sent: Choice | null = null
    try {
      while (wanted.current !== sent) {
        sent = wanted.current
        setBusy(sent)
        await session.confirmWord(word.id, sent === 'read' || sent === null ? undefined : sent)
      }
      if (sent === 'read' && hadFocus) onRead()
    } catch {
      setFailed(true)
    }
    wanted.current = null
    setBusy(null)
  }

  const answer = (choice: Hearing, icon: typeof IconThumbUp) => (
    <Button
      look={word.answer === choice ? 'filled' : 'default'}
      icon={icon}
      busy={busy === choice}
      aria-pressed={word.answer === choice}
      onClick={() => void confirm(choice)}
    >
      {t(`word.${choice}`)}
    </Button>
  )
  return (
    <section ref={card} className={classes.word} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        <IconMessage size="1.3em" aria-hidden="true" /> {t(word.to === 'room' ? 'word.to_room' : 'word.to_you')}
      </h2>
      <p className={classes.text} dir="auto">
        {word.text}
      </p>
      {hasFailed ? (
        <LightNotice tone="bad" icon={IconAlertTriangle} role="alert">
          <p>{t('app.failed')}</p>
        </LightNotice>
      ) : null}
      <div className={classes.buttons}>
        {word.asks ? (
          <>
            {answer('well', IconThumbUp)}
            {answer('badly', IconThumbDown)}
          </>
        ) : null}
        <Button
          look={word.asks ? 'plain' : 'filled'}
          icon={word.asks ? IconX : IconCheck}
          busy={busy === 'read'}
          onClick={() => void confirm('read')}
        >
          {t(word.asks ? 'word.close' : 'word.read')}
        </Button>
      </div>
    </section>
  )
}
