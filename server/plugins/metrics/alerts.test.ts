import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ALERTS_FILE, readDashboard, readRules } from '../../../test/alerts/rules.ts'
import { setup } from '../../../test/servers/setup.ts'

const CASES = 'test/alerts/cases.yaml'
/** Made by Prometheus itself. */
const OWN_METRICS = ['up']

const server = await setup()
const rules = readRules()

function namesIn(expr: string): string[] {
  return [...expr.matchAll(/\b(up|(?:parley|process|nodejs)_\w+)/g)].map(([, name = '']) => name)
}

test('each metric in alerts and dashboard is one that servers have', () => {
  const known = new Set(OWN_METRICS)
  for (const { name, type } of server.deps.metrics.registry.getMetricsAsArray()) {
    known.add(name)
    if (String(type) === 'histogram') for (const part of ['bucket', 'count', 'sum']) known.add(`${name}_${part}`)
  }
  const used = [...rules, ...readDashboard()].map(({ expr }) => expr)
  expect(used.length).toBeGreaterThan(40)
  for (const expr of used) {
    expect(namesIn(expr), expr).not.toEqual([])
    expect(
      namesIn(expr).filter((name) => !known.has(name)),
      expr,
    ).toEqual([])
  }
})

test('each alert has a case in which it fires, and one in which it is silent', () => {
  const Case = z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })
  const Cases = z.object({ tests: z.array(z.object({ alert_rule_test: z.array(Case) })) })
  const cases = Cases.parse(parseYaml(readFileSync(CASES, 'utf8'))).tests.flatMap((one) => one.alert_rule_test)
  const outcomes = (alert: string) =>
    new Set(cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts }) => exp_alerts.length > 0))
  expect(rules.length).toBeGreaterThan(10)
  for (const { alert } of rules) expect([...outcomes(alert)].sort(), alert).toEqual([false, true])
})

test('the alerts are valid, and fire and are silent in their cases', async () => {
  execFileSync('promtool', ['check', 'rules', ALERTS_FILE])
  const folder = await mkdtemp(join(tmpdir(), 'parley-alerts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const bare = rules.map(({ annotations: _, ...rule }) => rule)
  await writeFile(join(folder, 'alerts.json'), JSON.stringify({ groups: [{ name: 'parley', rules: bare }] }))
  await writeFile(join(folder, 'cases.yaml'), readFileSync(CASES))
  expect(execFileSync('promtool', ['test', 'rules', join(folder, 'cases.yaml')]).toString()).toContain('SUCCESS')
})
