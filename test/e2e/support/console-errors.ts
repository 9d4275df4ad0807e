import type { BrowserContext, Page } from '@playwright/test'

/** Chromium's own message for each call that is refused, cut off or offline. */
export const FAILED_CALL = /^console: Failed to load resource/

/** Records everything a page must not do: throw, log an error to its console, or call another machine. */
export class ConsoleErrors {
  #found: string[] = []
  #allowed: RegExp[] = []

  watch(context: BrowserContext): void {
    context.on('page', (page) => this.#watchPage(page))
    for (const page of context.pages()) this.#watchPage(page)
  }

  /** Permits errors that this test provokes. All others fail it. */
  allow(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns)
  }

  add(error: string): void {
    this.#found.push(error)
  }

  unexpected(): string[] {
    return this.#found.filter((error) => !this.#allowed.some((pattern) => pattern.test(error)))
  }

  #watchPage(page: Page): void {
    page.on('pageerror', (error) => this.add(`thrown: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') this.add(`console: ${message.text()}`)
    })
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url())
      const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1'
      if (protocol.startsWith('http') && !isHere) this.add(`outbound request: ${request.url()}`)
    })
  }
}
