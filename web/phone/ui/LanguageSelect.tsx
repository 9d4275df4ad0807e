import { IconWorld } from '@tabler/icons-react'
import { chooseLanguage, LANGUAGES, useLanguage, useTranslate } from '../words/language.ts'
import classes from './LanguageSelect.module.css'
import screen from './Screen.module.css'

/** Names each language in that language. */
export function LanguageSelect() {
  const t = useTranslate()
  const { code } = useLanguage()
  return (
    <label className={classes.language}>
      <IconWorld size="1.4em" aria-hidden="true" />
      <span className="unseen">{t('app.language')}</span>
      <select value={code} onChange={(event) => void chooseLanguage(event.target.value)}>
        {LANGUAGES.map((one) => (
          <option key={one.code} value={one.code} lang={one.code}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  )
}

export function NotReviewed() {
  const t = useTranslate()
  const { language } = useLanguage()
  return language.reviewed ? null : (
    <p className={screen.soft}>
      <small>{t('app.not_reviewed')}</small>
    </p>
  )
}
