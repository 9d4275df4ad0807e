import screen from '../ui/Screen.module.css'
import { useTranslate } from '../words/language.ts'

export function HowToAllow() {
  const t = useTranslate()
  return (
    <section className={screen.card}>
      <p>{t('test.refused_iphone')}</p>
      <p>{t('test.refused_android')}</p>
    </section>
  )
}
