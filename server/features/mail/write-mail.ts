import { cutToVisible } from '../../../shared/visible.ts'
import type { Config } from '../../config.ts'
import { siteOrigins } from '../../lib/sites.ts'
import type { MailContent, SecurityChange } from './content.ts'

/** The longest name or reason in a mail, in characters. */
const NAME_LENGTH = 200

/** Has no markup. */
interface Letter {
  subject: string
  paragraphs: string[]
  button?: { label: string; url: string }
}

export interface WrittenMail {
  subject: string
  text: string
  html: string
}

/** Writes a mail as text and as HTML, both from the same letter. */
export function writeMail(config: Config, content: MailContent): WrittenMail {
  const { subject, paragraphs, button } = letterOf(config, content)
  const foot = [
    `Parley sent this mail to you, at ${new URL(config.PUBLIC_URL).host}.`,
    `Questions? Write to ${config.SUPPORT_EMAIL}.`,
  ].join(' ')
  const text = [...paragraphs, ...(button ? [`${button.label}:\n${button.url}`] : []), `-- \n${foot}`].join('\n\n')
  return { subject, text: `${text}\n`, html: htmlOf({ subject, paragraphs, button }, foot) }
}

function letterOf(config: Config, content: MailContent): Letter {
  const { host, master } = siteOrigins(config)
  switch (content.kind) {
    case 'host_reset':
      return {
        subject: 'Set a new password',
        paragraphs: [
          `A master has made a link with which you set a new password for your account ${name(content.username)}.`,
          ...(content.removes_second_factor ? ['It also removes your second factor.'] : []),
          `The link works once, until ${moment(content.expires_at)}. Your present password works until then. If you did not ask for it, leave it unused.`,
        ],
        button: { label: 'Set a new password', url: content.url },
      }
    case 'master_invite':
      return {
        subject: 'You are invited to manage Parley',
        paragraphs: [
          ...(content.full_name ? [`Hello ${name(content.full_name)},`] : []),
          `${name(content.made_by)} invites you to be a master: masters manage the accounts of hosts.`,
          `With the link you set your password. It works once, until ${moment(content.expires_at)}.`,
        ],
        button: { label: 'Set your password', url: content.url },
      }
    case 'subscription_ends':
      return {
        subject: `Your subscription ends on ${day(content.ends_at)}`,
        paragraphs: [
          `The subscription of ${name(content.username)} ends on ${moment(content.ends_at)}. From then on the phones of your users cannot join.`,
          `To go on, ask for an extension at ${config.SUPPORT_EMAIL}.`,
        ],
        button: { label: 'Open Parley', url: `${host}/host/dashboard` },
      }
    case 'archive_full':
      return {
        subject: 'Your archive of recordings is full',
        paragraphs: [
          `The archive of ${name(content.username)} has no room left within its ${content.limit_gb} GB, so ${content.waiting === 1 ? '1 recording is' : `${content.waiting} recordings are`} kept at Zoom only. Nothing is lost there yet.`,
          `Delete recordings that you do not need any more, or ask for more room at ${config.SUPPORT_EMAIL}.`,
        ],
        button: { label: 'Open your recordings', url: `${host}/host/recordings` },
      }
    case 'zoom_reconnect':
      return {
        subject: 'Zoom has to be connected again',
        paragraphs: [
          `Zoom does not let Parley use the account ${name(content.zoom_email)} any more, so the meetings of ${name(content.username)} cannot be started and joined from Parley.`,
          `Ask for the connection to be made again at ${config.SUPPORT_EMAIL}. You will be asked for your consent at Zoom.`,
        ],
      }
    case 'meeting_not_ready': {
      const { date, time } = inZone(content)
      return {
        subject: `Your meeting at ${time} is not ready`,
        paragraphs: [
          `The meeting of ${name(content.username)} is planned for ${date}, ${time} (${content.time_zone}). The check before it found:`,
          ...content.problems.map(({ title, advice }) => `${title}. ${advice}`.trim()),
          'The dashboard shows whether it has been put right.',
        ],
        button: { label: 'Open the dashboard', url: `${host}/host/dashboard` },
      }
    }
    case 'backup_failed':
      return {
        subject: 'The backup has failed',
        paragraphs: [
          `A backup that was due failed on ${moment(content.at)}: ${name(content.reason)}`,
          'It is tried again every ten minutes. Until one succeeds, what is new since the last one is in no backup.',
        ],
        button: { label: 'Open System', url: `${master}/master/system` },
      }
    case 'security_changed':
      return {
        subject: CHANGES[content.change].subject,
        paragraphs: [
          `${CHANGES[content.change].words} Account: ${name(content.account)}. Time: ${moment(content.at)}.${content.ip ? ` Address: ${content.ip}.` : ''}`,
          `If this was you, there is nothing to do. If not, write to ${config.SUPPORT_EMAIL} now, and change your password if you still can.`,
        ],
        button: {
          label: 'Open your account',
          url: content.site === 'host' ? `${host}/host/account` : `${master}/master/account`,
        },
      }
    case 'test':
      return {
        subject: 'Test mail from Parley',
        paragraphs: [`${name(content.account)} sent this mail from the page System, to see that mail works.`],
      }
  }
}

const CHANGES: Record<SecurityChange, { subject: string; words: string }> = {
  password_changed: {
    subject: 'Your password was changed',
    words: 'The password of your account was changed, from a browser that was signed in.',
  },
  password_reset: {
    subject: 'Your password was set',
    words: 'The password of your account was set with a link.',
  },
  password_set: {
    subject: 'Your password was set by a master',
    words: 'A master has set the password of your account.',
  },
  totp_added: {
    subject: 'A second factor was added',
    words: 'An app that shows codes was added to your account, as a second factor.',
  },
  totp_removed: {
    subject: 'A second factor was removed',
    words: 'The app that shows codes was removed from your account.',
  },
  passkey_added: { subject: 'A passkey was added', words: 'A passkey was added to your account.' },
  passkey_removed: { subject: 'A passkey was removed', words: 'A passkey was removed from your account.' },
  recovery_codes_made: {
    subject: 'New recovery codes were made',
    words: 'New recovery codes were made for your account. The ones before do not work any more.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    words: 'A sign-in to your account used a recovery code. That code does not work any more.',
  },
  second_factor_reset: {
    subject: 'Your second factor was removed',
    words: 'The second factor of your account was removed with the link that set your password.',
  },
}

/** Names come from people: no line break, no character that turns the direction of what follows. */
const name = (text: string) => cutToVisible(text, NAME_LENGTH)

const day = (time: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time))
const moment = (time: string) => `${day(time)}, ${time.slice(11, 16)} UTC`

/** The time that the host planned, in the zone of the plan. */
function inZone({ starts_at, time_zone }: { starts_at: string; time_zone: string }) {
  const start = Temporal.Instant.from(starts_at).toZonedDateTimeISO(time_zone)
  const date = start.toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  return { date: date.replace(',', ''), time: start.toPlainTime().toString({ smallestUnit: 'minute' }) }
}

const BODY = 'margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c2430'
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:8px;background:#1f5fbf;color:#ffffff;text-decoration:none;font-weight:600'

/** The only place that makes HTML: whatever it is given is escaped. It loads nothing. */
function htmlOf({ subject, paragraphs, button }: Letter, foot: string): string {
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    `<body style="${BODY}">`,
    ...paragraphs.map((words) => `<p>${escaped(words)}</p>`),
    ...(button
      ? [
          `<p><a href="${escaped(button.url)}" style="${BUTTON}">${escaped(button.label)}</a></p>`,
          `<p style="font-size:13px;color:#5b6472;word-break:break-all">${escaped(button.url)}</p>`,
        ]
      : []),
    `<p style="font-size:13px;color:#5b6472">${escaped(foot)}</p>`,
    '</body></html>',
  ].join('\n')
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')
}
