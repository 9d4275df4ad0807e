import type { RecordingRow } from './recording-index.ts'

/** "Morning room – 2026-11-01 18-30 UTC.m4a": what a person looks for, and what every file system takes. */
export function fileNameOf({ topic, started_at, file_type }: RecordingRow): string {
  const [day, time = ''] = started_at.toISOString().split('T')
  const name = topic
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')
    .replaceAll(': ', ' - ')
    .replace(/[\\/:*?"<>|]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+/, '')
    .slice(0, 100)
    .trim()
  return `${name || 'Recording'} – ${day} ${time.slice(0, 5).replace(':', '-')} UTC.${file_type.toLowerCase()}`
}

/** The name in a header, as RFC 6266 wants it: plain letters for old readers, and all of it for the others. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[–—]/g, '-')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}
