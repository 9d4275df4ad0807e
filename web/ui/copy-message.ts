import { copyText } from '../lib/copy-text.ts'
import { toast } from './toast.tsx'

/** Copies a text that the page shows, and says that it did, or that it could not. */
export async function copyMessage(text: string, copied: string) {
  try {
    await copyText(Promise.resolve(text))
    toast.success(copied)
  } catch {
    toast.error('Failed to copy. Please select the text and copy it yourself.')
  }
}
