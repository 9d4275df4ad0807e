/**
 * Takes a promise, since some browsers allow writing to the clipboard only within the click, before the text has
 * arrived.
 */
export async function copyText(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem !== 'undefined' && navigator.clipboard?.write) {
    const blob = text.then((ready) => new Blob([ready], { type: 'text/plain' }))
    blob.catch(() => {}) // the browser may refuse before it awaits the blob
    return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  }
  copyThroughTextarea(await text)
}

/** Browsers have no clipboard API on plain http. */
function copyThroughTextarea(text: string) {
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (!copied) throw new Error('The browser did not copy')
}
