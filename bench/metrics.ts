/** Reads a server's metric, the sum of all with this name. */
export async function readMetric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+-]+)`, 'gm'))]
  return values.reduce((sum, [, value]) => sum + Number(value), values.length > 0 ? 0 : Number.NaN)
}
