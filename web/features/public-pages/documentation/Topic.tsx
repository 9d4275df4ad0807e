import type { ReactNode } from 'react'

type TopicProps = { id: string; title: string; children: ReactNode }

/** A chapter. The search and the table of contents find it, and the topics in it, by their mark. */
export function Chapter({ id, title, children }: TopicProps) {
  return (
    <section id={id} data-topic={title} tabIndex={-1}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** A part of a chapter that answers one question. */
export function Topic({ id, title, children }: TopicProps) {
  return (
    <section id={id} data-topic={title} tabIndex={-1}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}
