import { findHits } from './search-topics.ts'

/** Marks the searched words in a text. */
export function Marked({ text, words }: { text: string; words: string }) {
  const hits = findHits(text, words)
  return (
    <>
      {hits.map(({ from, to }, index) => (
        <span key={from}>
          {text.slice(hits[index - 1]?.to ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(hits.at(-1)?.to ?? 0)}
    </>
  )
}
