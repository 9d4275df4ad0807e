import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../../deps.ts'
import { filesIn } from '../../../lib/files-in.ts'
import type { RecordingRow } from '../recording-index.ts'

type Named = Pick<RecordingRow, 'id' | 'file_type'>

/** Where a recording's copy lies in DATA_DIR, or will: a purge of the host removes the whole folder. */
export function archivePath(host_id: string, { id, file_type }: Named): string {
  return join('archive', host_id, `${id}.${file_type.toLowerCase()}`)
}

/** Removes a recording's copy, or what there is of it. What is gone already is fine. */
export async function removeCopy({ config }: Deps, host_id: string, row: Named & { archived_path: string | null }) {
  const paths = filesIn(config, [row.archived_path ?? archivePath(host_id, row)])
  for (const path of paths) await rm(path, { force: true })
}

export interface OpenCopy {
  handle: FileHandle
  size: number
}

/** Opens a recording's copy; null where there is none, or one of another size than was written down. */
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
    throw new Error(`It has ${size} bytes and should have ${archived_bytes}`)
  } catch (err) {
    await handle?.close()
    log.error({ err, recording_id: id }, 'The archived copy of a recording cannot be read')
    return null
  }
}
