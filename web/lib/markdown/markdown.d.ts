declare module '*.md' {
  import type { Block } from './read-markdown.ts'

  const blocks: Block[]
  export default blocks
}
