import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../../deps.ts'
import { filesIn } from '../../../lib/files-in.ts'
import type { RecordingRow } from '../recording-index.ts'

type Named = Pick<RecordingRow, 'id' | 'file_type'>

/** The path is relative to DATA_DIR. A purge of the host removes the whole folder. */
export function archivePath(host_id: string, { id, file_type }: Named): string {
  return join('archive', host_id, `${id}.${file_type.toLowerCase()}`)
}

/** Removes partial copies too. */
export async function removeCopy({ config }: Deps, host_id: string, row: Named & { archived_path: string | null }) {
  const paths = filesIn(config, [row.archived_path ?? archivePath(host_id, row)])
  for (const path of paths) await rm(path, { force: true })
}

export interface OpenCopy {
  handle: FileHandle
  size: number
}

/** Returns null if there is no copy, or one of another size than its row states. */
export async function openCopy(
  { config, log }: Deps,
  { id, archived_path, archived_bytes }: RecordingRow,
): Promise<OpenCopy | null> {
  const [path] = filesIn(config, archived_path ? [archived_path] : [])
  if (!path) return null
  let handle: FileHandle | null = null
  try {
    handle = await open(path)
    const { size } = await handle.stat()
    if (archived_bytes === null || size === archived_bytes) return { handle, size }
    throw new Error(`${size} bytes instead of ${archived_bytes}`)
  } catch (err) {
    await handle?.close()
    log.error({ err, recording_id: id }, 'archive.copy_unreadable')
    return null
  }
}
