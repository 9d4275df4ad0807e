import { chooseLanguage, LANGUAGES, useLanguage, useWords } from '../words/language.ts'
import classes from './Field.module.css'
import { Icon } from './Icon.tsx'

/** Names each language in that language. */
export function LanguageSelect() {
  const t = useWords()
  const { code } = useLanguage()
  return (
    <label className={classes.language}>
      <Icon name="language" />
      <span className="visually-hidden">{t('app.language')}</span>
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
  const t = useWords()
  const { language } = useLanguage()
  return language.reviewed ? null : <p className={classes.hint}>{t('app.not_reviewed')}</p>
}
