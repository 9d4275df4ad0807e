import screen from '../ui/Screen.module.css'
import { useTranslate } from '../words/language.ts'

/** Explains how phones treat a hidden page; promises nothing. */
export function KeepScreenOn() {
  const t = useTranslate()
  return (
    <div className="stack">
      <p>{t('screen.intro')}</p>
      <section className={screen.card}>
        <h2>{t('screen.iphone_title')}</h2>
        <p>{t('screen.iphone')}</p>
      </section>
      <section className={screen.card}>
        <h2>{t('screen.android_title')}</h2>
        <p>{t('screen.android')}</p>
      </section>
      <section className={screen.card}>
        <p>{t('screen.back')}</p>
        <p>{t('screen.call')}</p>
        <p>{t('screen.zoom')}</p>
      </section>
    </div>
  )
}
