/** JSON, or the text itself: Zoom's front may answer with a page of HTML or XML where JSON is due. */
export function readJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
