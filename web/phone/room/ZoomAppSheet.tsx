import { IconExternalLink } from '@tabler/icons-react'
import { Button, ButtonLink } from '../../ui/base/Button.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { useTranslate } from '../words/language.ts'

type ZoomAppProps = { joinUrl: string; onOpen: () => void; onClose: () => void }

/** Explains what Parley can and cannot do while the user is in the Zoom app. */
export function ZoomAppSheet({ joinUrl, onOpen, onClose }: ZoomAppProps) {
  const t = useTranslate()
  return (
    <Sheet title={t('zoom.title')} onClose={onClose}>
      <p>{t('zoom.better')}</p>
      <p>{t('zoom.lost')}</p>
      <ul className="marked">
        <li>{t('zoom.no_speaking')}</li>
        <li>{t('zoom.no_mute')}</li>
        <li>{t('zoom.no_phone')}</li>
        <li>{t('zoom.no_hand')}</li>
      </ul>
      <ButtonLink
        look="filled"
        size="large"
        icon={IconExternalLink}
        href={joinUrl}
        target="_blank"
        rel="noreferrer"
        onClick={onOpen}
      >
        {t('zoom.open')}
      </ButtonLink>
      <Button onClick={onClose}>{t('zoom.stay')}</Button>
    </Sheet>
  )
}
