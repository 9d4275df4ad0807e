/**
 * Puts a text on the clipboard that is still being asked for. The promise itself is handed over at the click, since
 * some browsers forget who clicked while they wait.
 */
export async function copyText(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem !== 'undefined' && navigator.clipboard?.write) {
    const blob = text.then((ready) => new Blob([ready], { type: 'text/plain' }))
    blob.catch(() => {}) // the browser may look at it only after it has failed, or refuse before it looks
    return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  }
  copyThroughField(await text)
}

/** For a console on plain http, where a browser offers no clipboard. */
function copyThroughField(text: string) {
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (!copied) throw new Error('The browser did not copy')
}
