import { site } from '../../lib/site.ts'

/** Links to the support address that all pages show. */
export function MailLink() {
  return site.support_email ? <a href={`mailto:${site.support_email}`}>{site.support_email}</a> : <>our support</>
}

export function PhoneLink() {
  return <a href={`tel:${site.support_phone.replace(/[^+\d]/g, '')}`}>{site.support_phone}</a>
}
