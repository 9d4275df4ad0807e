import { DAY_MS } from '../../../shared/dates.ts'

export interface KeepRule {
  days: number
  weeks: number
  months: number
}

const NAME = /^parley-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar\.age(\.part)?$/

export const backupName = (time: number) =>
  `parley-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.age`

export interface NamedBackup {
  name: string
  time: number
}

/** Finds the scheduled backups among the names of a folder, the newest first. */
export function findBackups(names: string[], isPart = false): NamedBackup[] {
  return names
    .flatMap((name) => {
      const [, day, hour, minute, second, part] = NAME.exec(name) ?? []
      const time = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
      return Number.isNaN(time) || (part !== undefined) !== isPart ? [] : [{ name, time }]
    })
    .sort((a, b) => b.time - a.time)
}

/**
 * Returns those that the rule does not keep. It keeps all of the last day, and the newest of each of the newest days, weeks
 * (from Monday) and months that have one, in UTC. It always keeps the newest of all.
 */
export function findExpiredBackups(
  backups: NamedBackup[],
  { days, weeks, months }: KeepRule,
  now: number,
): NamedBackup[] {
  const kept = new Set(backups.filter(({ time }, at) => at === 0 || time > now - DAY_MS))
  keepNewest(days, (time) => Math.floor(time / DAY_MS))
  keepNewest(weeks, (time) => Math.floor((time / DAY_MS + 3) / 7)) // 1970 began on a Thursday
  keepNewest(months, (time) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth())
  return backups.filter((backup) => !kept.has(backup))

  function keepNewest(count: number, periodOf: (time: number) => number): void {
    const newest = new Map<number, NamedBackup>()
    for (const backup of backups) {
      const period = periodOf(backup.time)
      if (!newest.has(period)) newest.set(period, backup)
    }
    for (const backup of [...newest.values()].slice(0, count)) kept.add(backup)
  }
}
