/** Lines of JSON, imported as text. */
declare module '*.jsonl' {
  const text: string
  export default text
}
