import { call } from '../../../shared/phone/call.ts'
import { type SharedRecording, SharedRecordingsAnswer } from '../../../shared/recordings.ts'

export async function fetchRecordings(token: string): Promise<SharedRecording[]> {
  const address = `${window.location.origin}/api/mobile/recordings`
  return (await call(SharedRecordingsAnswer, 'GET', address, { token })).data.recordings
}
