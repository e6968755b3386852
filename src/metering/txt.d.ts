/** Lines of text, imported as they are. */
declare module '*.txt' {
  const text: string
  export default text
}
