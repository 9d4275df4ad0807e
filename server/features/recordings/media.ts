import type { IncomingMessage } from 'node:http'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { readRecording } from '../../zoom/calls.ts'
import { isFault, RECONNECT_MESSAGE, toAppError, ZoomError } from '../../zoom/errors.ts'
import { fileKey } from './file-key.ts'
import { RECORDING_NOT_FOUND, type RecordingRow } from './recording-index.ts'
import { openUpstream } from './upstream.ts'

/** Zoom's download URLs expire. */
const ADDRESS_TTL_MS = 10 * 60_000
const MAX_ADDRESSES = 1000
const UNDELIVERED = 'Zoom did not deliver this recording. Please try again later.'

interface Reader {
  range: string | undefined
  /** Aborts when the reader disconnects. */
  signal: AbortSignal
}

export type Media = RecordingRow & { host_id: string }

/** A file of a sitting at Zoom: its id is ours, its key Zoom's. */
export type ZoomFile = Pick<Media, 'id' | 'host_id' | 'meeting_uuid' | 'zoom_file_id'>

const SOUND_TYPES = /^(audio|video)\/|^(application|binary)\/octet-stream/

export async function findMedia({ db }: Deps, id: string): Promise<Media> {
  const media = await db
    .selectFrom('recordings')
    .innerJoin('rooms', 'rooms.id', 'recordings.room_id')
    .innerJoin('hosts', 'hosts.id', 'rooms.host_id')
    .selectAll('recordings')
    .select('rooms.host_id')
    .where('recordings.id', '=', id)
    .where('recordings.trashed_at', 'is', null)
    .where('recordings.status', '=', 'completed')
    .where('hosts.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!media) throw new AppError('not_found', RECORDING_NOT_FOUND)
  return media
}

type SourceDeps = Pick<Deps, 'db' | 'zoom' | 'config' | 'now' | 'log'>

/** Fetches files of recordings from Zoom with the token of their host. */
export class MediaSource {
  readonly #deps: SourceDeps
  readonly #addresses = new Map<string, { url: string; until: number }>()

  constructor(deps: SourceDeps) {
    this.#deps = deps
  }

  async open(media: Media, reader: Reader): Promise<IncomingMessage> {
    try {
      return await this.openFile(media, reader, SOUND_TYPES)
    } catch (error) {
      if (isFault(error, 'not_found')) await this.#markGone(media)
      throw toAppError(error)
    }
  }

  /**
   * Renews URL and token once, because the first attempt may fail for a stale one. Throws ZoomError where Zoom lacks the
   * file.
   */
  async openFile(file: ZoomFile, reader: Reader, types: RegExp): Promise<IncomingMessage> {
    const first = await this.#attempt(file, reader, types)
    if ('answer' in first) return first.answer
    this.#addresses.delete(file.id)
    const second = await this.#attempt(file, reader, types, first.refused)
    if ('answer' in second) return second.answer
    throw second.refused
      ? new AppError('zoom_reconnect', RECONNECT_MESSAGE)
      : new AppError('zoom_unavailable', UNDELIVERED)
  }

  async #attempt(
    media: ZoomFile,
    reader: Reader,
    types: RegExp,
    refused?: string,
  ): Promise<{ answer: IncomingMessage } | { refused?: string }> {
    const { zoom, config, log } = this.#deps
    const url = await this.#address(media)
    const token = await zoom.tokens.accessToken(media.host_id, refused)
    try {
      const answer = await openUpstream(config, url, { token, ...reader })
      if (isFile(answer, types)) return { answer }
      const { statusCode, headers } = answer
      answer.destroy()
      log.warn({ recording_id: media.id, statusCode, type: headers['content-type'] }, 'media.not_a_recording')
      return statusCode === 401 || statusCode === 403 ? { refused: token } : {}
    } catch (error) {
      if (!(error instanceof ZoomError) || reader.signal.aborted) throw error
      log.warn({ err: error, recording_id: media.id }, 'media.open_failed')
      return {}
    }
  }

  async #address(media: ZoomFile): Promise<string> {
    const now = this.#deps.now()
    const cached = this.#addresses.get(media.id)
    if (cached && cached.until > now) return cached.url

    const recording = await this.#deps.zoom.callFor(media.host_id, readRecording(media.meeting_uuid))
    const file = recording.recording_files.find((one) => fileKey(one) === media.zoom_file_id)
    if (!file?.download_url) throw new ZoomError('not_found', 'Zoom has the recording, but not this file')
    this.#addresses.set(media.id, { url: file.download_url, until: now + ADDRESS_TTL_MS })
    const [oldest] = this.#addresses.keys()
    if (oldest && this.#addresses.size > MAX_ADDRESSES) this.#addresses.delete(oldest)
    return file.download_url
  }

  async #markGone({ id }: Media): Promise<never> {
    await this.#deps.db.updateTable('recordings').set({ gone_at_zoom: true }).where('id', '=', id).execute()
    throw new AppError('not_found', RECORDING_NOT_FOUND)
  }
}

/** Rejects the HTML page with status 200 that Zoom sends for a failed download. */
function isFile({ statusCode = 0, headers }: IncomingMessage, types: RegExp): boolean {
  if (statusCode === 416) return true
  return (statusCode === 200 || statusCode === 206) && types.test((headers['content-type'] ?? '').toLowerCase())
}
