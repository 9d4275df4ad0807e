export type MailResult = 'sent' | 'failed' | 'dropped'

/** Counts what became of mails since the start of this server. A failed attempt is repeated; a dropped mail is not. */
export class MailCounts {
  readonly #counts = new Map<string, { kind: string; result: MailResult; count: number }>()

  count(kind: string, result: MailResult): void {
    const key = `${kind} ${result}`
    const before = this.#counts.get(key)?.count ?? 0
    this.#counts.set(key, { kind, result, count: before + 1 })
  }

  list(): { kind: string; result: MailResult; count: number }[] {
    return [...this.#counts.values()]
  }
}
