/** Has the browser save a text as a file. */
export function downloadFile(name: string, type: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Some browsers only begin to read it after the click is over.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
