import { DAY_MS } from '../../../shared/dates.ts'
import { siteOrigins } from '../../lib/sites.ts'
import { ask } from './ask-site.ts'
import { codeOf, counted, NOT_ASKED, note, ok, problem, type RunCheck, warn } from './check.ts'
import { readCertificate } from './read-certificate.ts'

const FOREIGN = 'foreign.invalid'
/** The settings in the pages of each site contain these. */
const MARKS = {
  public: '"site":"public"',
  host: '"site":"host"',
  master: '"site":"master"',
  phone: '"meeting_url":',
  meeting: '"phone_url":',
}

export const checkNames: RunCheck = async ({ config, isServed }, signal) => {
  if (!isServed) return note(NOT_ASKED)
  const origins = siteOrigins(config)
  const faults = await Promise.all(
    Object.entries(MARKS).map(async ([site, mark]) => {
      const url = new URL(origins[site as keyof typeof MARKS])
      const answer = await ask(url, { signal }).catch(codeOf)
      if (typeof answer === 'string') return `${url.host} does not answer${answer ? ` (${answer})` : ''}`
      const info = /id="site-info">([^<]*)</.exec(answer.text)?.[1]
      if (info === undefined) return `${url.host} does not answer with a page of Parley (${answer.status})`
      return info.includes(mark) ? null : `${url.host} answers with the page of another site`
    }),
  )
  const found = faults.filter((fault) => fault !== null)
  if (found.length > 0)
    return problem(
      `${found.join('; ')}.`,
      'Let each name lead to the proxy, and the proxy pass on Host. See "The proxy" in docs/deploy.md.',
    )
  const foreign = await ask(new URL(origins.public), { signal, headers: { host: FOREIGN } }).catch(() => null)
  return foreign?.text.includes('id="site-info"')
    ? problem('A page is shown under a foreign name too.', 'Let the proxy pass on Host as it came.')
    : ok(`${Object.keys(MARKS).length} names answer, and a foreign one is refused.`)
}

export const checkCertificate: RunCheck = async ({ config }, signal) => {
  if (!config.PUBLIC_URL.startsWith('https:')) return note('None: PUBLIC_URL is http.')
  const findings = await Promise.all(
    [...new Set(Object.values(siteOrigins(config)))].map((origin) => checkOne(new URL(origin), signal)),
  )
  return findings.toSorted((a, b) => a.days - b.days)[0]?.finding ?? note('None.')
}

async function checkOne(url: URL, signal: AbortSignal) {
  try {
    const { validTo, fault } = await readCertificate(url, signal)
    const days = Math.floor((validTo - Date.now()) / DAY_MS)
    const advice = 'Renew it, and let a timer renew it from now on.'
    if (days < 0) return { days, finding: problem(`That of ${url.hostname} has expired.`, advice) }
    if (fault !== null)
      return {
        days: -1,
        finding: problem(
          `That of ${url.hostname} is not trusted (${fault}).`,
          'Get one for this name from an authority that browsers trust, with the whole chain.',
        ),
      }
    const found = `The first one ends in ${counted(days, 'day')} (${url.hostname}).`
    if (days < 7) return { days, finding: problem(found, advice) }
    return { days, finding: days < 21 ? warn(found, advice) : ok(found) }
  } catch (error) {
    const code = codeOf(error)
    const finding = problem(
      `${url.hostname} does not answer with TLS${code ? ` (${code})` : ''}.`,
      'Start the proxy, and let the name lead to it.',
    )
    return { days: -2, finding }
  }
}
