/** Hands a file that was made here to the browser, as if it had been downloaded. */
export function saveFile(name: string, content: Blob) {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000) // not before the browser has taken it
}

export function saveCsv(name: string, text: string) {
  saveFile(name, new Blob([text], { type: 'text/csv;charset=utf-8' }))
}
