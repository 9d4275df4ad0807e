import cells from './cells.module.css'

/** What a row is about, over a detail of it. */
export function NameCell({ name, detail }: { name: string; detail: string }) {
  return (
    <span className={cells.lines}>
      <span className={cells.name}>{name}</span>
      <span className={cells.minor}>{detail}</span>
    </span>
  )
}
