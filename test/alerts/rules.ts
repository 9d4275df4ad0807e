import { readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { z } from 'zod'

const Rule = z.object({
  alert: z.string(),
  expr: z.string(),
  for: z.string(),
  labels: z.object({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.object({ summary: z.string(), description: z.string() }),
})
const Rules = z.object({ groups: z.tuple([z.object({ name: z.string(), rules: z.array(Rule) })]) })

export const ALERTS_FILE = 'deploy/alerts.yaml'

export function readRules() {
  return Rules.parse(parseYaml(readFileSync(ALERTS_FILE, 'utf8'))).groups[0].rules
}

const Panel = z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })

/** Lists the expressions of the dashboard with the titles of their panels. */
export function readDashboard(): { title: string; expr: string }[] {
  const { panels } = z
    .object({ panels: z.array(Panel) })
    .parse(JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8')))
  return panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })))
}
