/** A command as it is typed at a shell: `key create --name 'my key' < what is on standard input`. */
interface TypedCommand {
  readonly words: readonly string[]
  readonly stdin: string
}

/** Reads a line. Words in single quotes may hold spaces; `{name}` stands for a value. */
export function typed(line: string, values: Readonly<Record<string, string>>): TypedCommand {
  const filled = line.replaceAll(/\{([\w.-]+)\}/g, (as, name: string) => values[name] ?? as)
  const [command = '', stdin = ''] = filled.split(' < ')
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain = '']) => quoted ?? plain,
  )
  return { words, stdin: stdin === '' ? '' : `${stdin}\n` }
}
