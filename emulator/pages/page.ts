import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'

type Value = string | number | undefined | Html | Html[]

/** Safe markup. All other text is escaped when inserted into a page. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function html(parts: TemplateStringsArray, ...values: Value[]) {
  const filled = parts.map((part, at) => part + (at < values.length ? written(values[at]) : ''))
  return new Html(filled.join(''))
}

function written(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(written).join('')
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return String(value ?? '').replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
}

/**
 * The policy has no form-action: browsers also apply it to the redirect after a form, and consent redirects to the
 * app's own origin.
 */
export function sendPage(reply: FastifyReply, title: string, body: Html, script = '') {
  const nonce = randomBytes(16).toString('base64')
  reply.headers({
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style nonce="${nonce}">${new Html(css)}</style>
</head>
<body>
<header class="banner">Demo stand-in for Zoom. Nothing here reaches Zoom.</header>
<main>${body}</main>
${script === '' ? '' : html`<script nonce="${nonce}">${new Html(script)}</script>`}
</body>
</html>`
  return reply.type('text/html; charset=utf-8').send(page.text)
}

const css = `
:root { color-scheme: light dark; --page: light-dark(#f1f3f6, #14171c); --card: light-dark(#fff, #1d2128);
  --ink: light-dark(#1b2330, #e7eaf0); --soft: light-dark(#5a6473, #a3adbb); --line: light-dark(#d5dae2, #3a424e);
  --accent: light-dark(#1d5bd6, #84aeff); --on-accent: light-dark(#fff, #0e1a30); --tint: light-dark(#eef4ff, #22304a);
  --warn: light-dark(#fff3d1, #3d3212); --on-warn: light-dark(#5c4300, #ffe08a); --bad: light-dark(#b3261e, #ffb4ab); --good: light-dark(#187a44, #6fd39a) }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
.banner { margin: 0; padding: 8px 16px; background: var(--warn); color: var(--on-warn); text-align: center; font-size: 14px; font-weight: 600 }
main { max-width: 30rem; margin: 24px auto; padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 14px }
main:has(table) { max-width: 70rem }
h1 { margin: 0 0 8px; font-size: 1.35rem; line-height: 1.25 }
h2 { margin: 28px 0 8px; font-size: 1.05rem }
p { margin: 0 0 12px }
a { color: var(--accent) }
.soft { color: var(--soft); font-size: 14px }
ul { margin: 0; padding-left: 1.2rem }
fieldset { margin: 20px 0; padding: 0; border: 0 }
legend { margin-bottom: 8px; padding: 0; font-weight: 600 }
.choice { display: grid; grid-template-columns: auto 1fr auto; align-items: center; gap: 12px; margin-bottom: 8px; padding: 7px 12px;
  border: 1px solid var(--line); border-radius: 10px; line-height: 1.35; cursor: pointer }
.choice:has(:checked) { border-color: var(--accent); background: var(--tint) }
.choice input { width: 18px; height: 18px; margin: 0; accent-color: var(--accent) }
.choice > span { min-width: 0; overflow-wrap: anywhere }
.choice .soft { display: block }
.plan { padding: 1px 8px; border: 1px solid var(--line); border-radius: 99px; font-size: 12px; white-space: nowrap }
.other { display: none; margin: 4px 0 12px }
fieldset:has([value=other]:checked) .other { display: block }
.other label { display: block; margin-bottom: 4px; font-size: 14px; font-weight: 600 }
.other input { width: 100%; padding: 10px 12px; border: 1px solid var(--soft); border-radius: 10px; background: var(--card); color: inherit; font: inherit }
.error { color: var(--bad); font-weight: 600 }
html { scroll-padding-bottom: 90px }
/* In sight however many accounts there are. */
.buttons { position: sticky; bottom: 0; display: flex; gap: 12px; margin: 16px -24px -24px; padding: 14px 24px; border-top: 1px solid var(--line); border-radius: 0 0 14px 14px; background: var(--card) }
button { flex: 1; min-height: 44px; border: 1px solid var(--soft); border-radius: 10px; background: none; color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button.main { flex: 2; border-color: transparent; background: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.wide { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: 14px }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
.call { display: flex; flex-direction: column; align-items: center; padding: 24px 0; text-align: center }
.call .circle { display: grid; place-items: center; width: 88px; height: 88px; margin-bottom: 20px; border-radius: 50%; background: var(--tint); font-size: 40px; font-weight: 600; outline: 1px solid var(--line) }
.call.live .circle { outline: 4px solid var(--good); outline-offset: 4px }
.call h1 { max-width: 100%; overflow-wrap: anywhere }
.call dl { display: grid; grid-template-columns: auto auto; gap: 6px 16px; margin: 16px 0 20px; text-align: left }
.call dt { color: var(--soft) } .call dd { margin: 0; font-variant-numeric: tabular-nums; font-weight: 600; overflow-wrap: anywhere }
.call > p:last-child { margin: 0 }
.state { display: inline-flex; align-items: center; gap: 8px; padding: 4px 12px; border-radius: 99px; background: var(--tint); font-size: 14px; font-weight: 600 }
.dot { width: 9px; height: 9px; border-radius: 99px; background: var(--soft) }
.live .dot { background: var(--good) }
@media (max-width: 480px) { .choice { grid-template-columns: auto 1fr } .plan { grid-column: 2; justify-self: start }
  main { margin: 0; padding: 16px; border: 0; border-radius: 0; min-height: 90vh }
  .buttons { margin: 16px -16px -16px; padding: 14px 16px; border-radius: 0 } }
`
