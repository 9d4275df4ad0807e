import screen from '../ui/Screen.module.css'
import { useWords } from '../words/language.ts'

export function HowToAllow() {
  const t = useWords()
  return (
    <section className={screen.card}>
      <p>{t('test.refused_iphone')}</p>
      <p>{t('test.refused_android')}</p>
    </section>
  )
}
