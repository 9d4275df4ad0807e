import cells from './cells.module.css'

export function NameCell({ name, detail }: { name: string; detail: string }) {
  return (
    <span className={cells.lines}>
      <span className={cells.name}>{name}</span>
      <span className={cells.minor}>{detail}</span>
    </span>
  )
}
