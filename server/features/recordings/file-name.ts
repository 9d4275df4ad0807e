import { create } from 'content-disposition'
import type { RecordingRow } from './recording-index.ts'

/** Builds "Morning room – 2026-11-01 18-30 UTC.m4a", without characters that a file system refuses. */
export function fileNameOf({ topic, started_at, file_type }: RecordingRow): string {
  const [day, time = ''] = started_at.toISOString().split('T')
  const name = topic
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')
    .replaceAll(': ', ' - ')
    .replace(/[\\/:*?"<>|]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+/, '')
    .slice(0, 100)
    .toWellFormed() // the cut may have split a character
    .trim()
  return `${name || 'Recording'} – ${day} ${time.slice(0, 5).replace(':', '-')} UTC.${file_type.toLowerCase()}`
}

export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const fallback = name.replaceAll('–', '-').replace(/[^\x20-\x7e]/g, '_') // for clients without UTF-8, such as curl
  return create(name, { type, fallback })
}
