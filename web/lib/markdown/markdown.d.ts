declare module '*.md' {
  const guide: import('./read-guide.ts').Section
  export default guide
}
