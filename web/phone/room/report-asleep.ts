/** Sends a status call that outlives the page, which may not be able to send another. */
export function reportAsleep(baseUrl: string, token: string): void {
  void fetch(`${baseUrl}/api/mobile/status`, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ awake: false }),
  }).catch(() => {})
}
