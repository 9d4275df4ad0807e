import { readdirSync, statSync } from 'node:fs'

const folder = `${import.meta.dirname}/`

export type AudioFile = { name: string; size: number }

export const audioFiles: AudioFile[] = readdirSync(folder)
  .filter((name) => name.endsWith('.m4a'))
  .toSorted()
  .map((name) => ({ name, size: statSync(folder + name).size }))

/** Only listed names become paths, so no request can reach another file. */
export function audioPath(name: string) {
  const file = audioFiles.find((audio) => audio.name === name)
  return file && folder + file.name
}
