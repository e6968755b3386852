/** The path of a file, which stands inside of the executable too. */
declare module '*.vocabulary' {
  const path: string
  export default path
}
