/** Reads a server's metric, the first one with this name. */
export async function readMetric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(new RegExp(`^${name} ([\\d.e+-]+)`, 'm').exec(text)?.[1])
}
