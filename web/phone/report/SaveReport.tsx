import { reportFileName } from '../../../shared/field-report.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/base/Button.tsx'
import screen from '../ui/Screen.module.css'
import { useTranslate } from '../words/language.ts'
import { fieldLog } from './field-log.ts'
import { writeReport } from './write-report.ts'

/** Saves what this phone saw of the meeting. */
export function SaveReport() {
  const t = useTranslate()
  const save = () => {
    const at = new Date()
    const text = writeReport(fieldLog, at)
    saveFile(reportFileName('phone', at), new Blob([text], { type: 'text/plain;charset=utf-8' }))
  }
  return (
    <section className={screen.card}>
      <h2>{t('report.title')}</h2>
      <p>{t('report.text')}</p>
      <Button onClick={save}>{t('report.save')}</Button>
    </section>
  )
}
